"""PAR sheets: what every wager of a rulebook pays, how often and why, as data, a page, a workbook and JSON."""
