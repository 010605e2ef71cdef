// A round for whoever has none: a tie that pays, and a war that is won, under the book of New Zealand.

export const SAMPLE = `format = "casinowar-record/1"
rulebook = "nz"
shoe = "2c 9h 9d 3c 4c 5c Qs 7d"

[limits]
minimum = 5
maximum = 500
unit = 5

[players]
ana = 1000

[[acts]]
do = "place_wager"
player = "ana"
box = 4
wager = "initial"
amount = 10

[[acts]]
do = "place_wager"
player = "ana"
box = 4
wager = "tie"
amount = 5

[[acts]]
do = "deal"

[[acts]]
do = "go_to_war"
player = "ana"
box = 4

[[acts]]
do = "deal"
`
