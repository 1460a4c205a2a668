"""The `d20` library with our dice in its hands: it parses and adds up, the faces come from a DiceStream."""

from __future__ import annotations

import threading
from typing import Any

import d20
import lark
from d20 import diceast, expression

from talekeeper.errors import BadInput
from talekeeper.rules.dice import EXAMPLE, DiceStream

_MAX_TOTAL = 10**12


class _Die(expression.Die):  # type: ignore[misc]  # d20 ships no types
    __slots__ = ()

    def _add_roll(self) -> None:
        self._context.count_roll()
        faces: DiceStream = self._context.faces
        value = (faces.die(10) - 1) * 10 if self.size == "%" else faces.die(self.size)
        self.values.append(expression.Literal(value))


class _Dice(expression.Dice):  # type: ignore[misc]  # d20 ships no types
    __slots__ = ()

    @classmethod
    def new(cls, num: int, size: int | str, context: Any = None) -> _Dice:
        return cls(num, size, [_Die.new(size, context=context) for _ in range(num)], context=context)

    def roll_another(self) -> None:
        self.values.append(_Die.new(self.size, context=self._context))


class _Operator(expression.SetOperator):  # type: ignore[misc]  # d20 ships no types
    """d20 rerolls in the order of a set, which is the order of memory addresses; ours is the order on the table."""

    __slots__ = ()

    def reroll_once(self, target: Any) -> None:
        chosen = self.select(target)
        for die in [die for die in target.keptset if die in chosen]:
            die.reroll()

    def reroll(self, target: Any) -> None:
        while self.select(target):
            self.reroll_once(target)


class _Context(d20.RollContext):  # type: ignore[misc]  # d20 ships no types
    """Counts the dice so that every roll ends, and hands out their faces."""

    faces: DiceStream


class _PlainText(d20.SimpleStringifier):  # type: ignore[misc]  # d20 ships no types
    """1d20 (14) + 2; dropped dice in square brackets."""

    def __init__(self) -> None:
        super().__init__()
        self._nodes[_Dice] = self._str_dice
        self._nodes[_Die] = self._str_die

    def _stringify(self, node: Any) -> str:
        inside = str(super()._stringify(node))
        return inside if node.kept else f"[{inside}]"

    def _str_expression(self, node: Any) -> str:
        return self._stringify(node.roll)


class SeededRoller(d20.Roller):  # type: ignore[misc]  # d20 ships no types
    def __init__(self) -> None:
        super().__init__(_Context())
        self._words = _PlainText()
        # d20 keeps the count of dice and its cache of parsed notations on the roller.
        self._one_at_a_time = threading.Lock()

    def throw(self, notation: str, faces: DiceStream, max_rolls: int) -> tuple[int, int, str]:
        """Total, natural and detail of one roll."""
        with self._one_at_a_time:
            self.context.faces = faces
            self.context.max_rolls = max_rolls
            try:
                result = self.roll(notation, self._words)
                total = result.expr.total
            except d20.TooManyRolls as error:
                raise BadInput(
                    f"{notation!r} rolls too many dice.", f"A roll, explosions included, may use up to {max_rolls}."
                ) from error
            except (d20.RollError, lark.LarkError, OverflowError, ValueError, RecursionError) as error:
                raise BadInput(f"{notation!r} is not dice notation.", EXAMPLE) from error
            if not -_MAX_TOTAL <= total <= _MAX_TOTAL:
                raise BadInput(f"{notation!r} comes to more than anybody can count.", EXAMPLE)
            return int(total), int(_leftmost(result.expr).total), result.result

    def _eval_dice(self, node: diceast.Dice) -> _Dice:
        return _Dice.new(node.num, node.size, context=self.context)

    def _eval_operatedset(self, node: diceast.OperatedSet) -> Any:
        target = self._eval(node.value)
        for operation in node.operations:
            operator = _Operator.from_ast(operation)
            operator.operate(target)
            target.operations.append(operator)
        return target


def _leftmost(node: Any) -> Any:
    while node.children:
        node = node.children[0]
    return node
