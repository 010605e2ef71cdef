"""The table as lines of text."""

from casinowar.pictures.felt_scene import BoxScene, Scene, amount, faces


def plain_table(scene: Scene) -> str:
    """The scene in plain lines, the dealer's last.

    >>> print(plain_table(Scene(title="New Zealand, round 1", boxes=(BoxScene(box=1, player="ana", cards=("Th",)),))))
    New Zealand, round 1
      Box 1   10♥      ana
    """
    lines = [scene.title, *(f"  {scene.says}" for _ in range(bool(scene.says)))]
    lines += [_box_line(box) for box in scene.boxes]
    if scene.dealer:
        lines.append(f"  {scene.dealer_name:7} {faces(scene.dealer)}")
    if scene.balances:
        lines.append("  " + ", ".join(f"{player} has {amount(chips)}" for player, chips in scene.balances))
    return "\n".join(line.rstrip() for line in lines)


def _box_line(box: BoxScene) -> str:
    wagers = ", ".join(f"{name} {amount(chips)}" for name, chips in box.wagers)
    told = f"{box.player}: {wagers}" if wagers and box.player else box.player or wagers
    came = "" if box.net is None else f" ({amount(box.net, signed=True)})"
    return f"  Box {box.box:<3} {faces(box.cards):8} {told}{came}"
