"""Windows in which a table has to be played: phones with and without bars, lying ones, zoom, low laptops."""

TOUCH = ((320, 480), (320, 568), (360, 640), (375, 667))
MOUSE = ((390, 664), (844, 390), (1366, 625), (840, 525))
"""The last is 1680 by 1050 at a zoom of 200 %."""

WINDOWS = (*TOUCH, *MOUSE, (568, 320), (800, 600))
