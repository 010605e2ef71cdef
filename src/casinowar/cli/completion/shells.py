"""The three shells as click completes in them, made to know words that hold `=`, `:` or `@`, and words that go on."""

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

PART = "part"
"""The type of a word that goes on, such as `shoe.decks=`: no space comes behind it."""

BREAKS = "=:@"
"""Characters within our words at which bash begins another word, unless its user has told it otherwise."""

BASH = """\
%(complete_func)s() {
    local type value
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            part) COMPREPLY+=("$value"); compopt -o nospace ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

ZSH = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local -a plain described parts response
    local type key descr
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \\
        %(complete_var)s=zsh_complete ${words[1]} 2>/dev/null)}")
    for type key descr in "${response[@]}"; do
        case $type in
            dir) compset -P '--*='; _path_files -/ ;;
            file) compset -P '--*='; _path_files -f ;;
            part) parts+=("$key") ;;
            plain) if [[ "$descr" == "_" ]]; then plain+=("$key"); else described+=("$key:$descr"); fi ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described -U
    (( $#plain )) && compadd -U -V unsorted -a plain
    (( $#parts )) && compadd -U -S '' -V unsorted -a parts
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef %(complete_func)s %(prog_name)s
fi
"""

FISH = """\
function %(complete_func)s
    for completion in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -t) \\
            %(prog_name)s 2>/dev/null)
        set -l word (string split -m 1 "," -- $completion)
        switch $word[1]
            case dir
                __fish_complete_directories $word[2]
            case file
                __fish_complete_path $word[2]
            case plain
                echo $word[2]
        end
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class _Quiet(ShellComplete):
    """What the three shells share: an error offers nothing, and the value of `--option=value` keeps its option."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        try:
            items = super().get_completions(args, incomplete)
        except Exception:  # A line that is being typed may name a book that is not there, or lack an extra.
            return []
        option, is_joined, _ = incomplete.partition("=")
        if is_joined and option.startswith("--"):
            for item in items:
                if item.type not in ("dir", "file"):
                    item.value = f"{option}={item.value}"
        return items


class BashWords(_Quiet, BashComplete):
    """Completion in bash, from the line as it is typed: the words that bash makes of it are parted at `=` and `:`."""

    source_template = BASH
    typed = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        words = split_arg_string(line)
        if words and not line[-1:].isspace():
            self.typed = words.pop()
        return words[1:], self.typed

    def format_completion(self, item: CompletionItem) -> str:
        """The part of the word that bash will put in place of what it takes for the word. `@` belongs to it."""
        breaks = [one for one in BREAKS if one in os.environ.get("COMP_WORDBREAKS", BREAKS)]
        begin = max((self.typed.rfind(one) + (one != "@") for one in breaks), default=0)
        return f"{item.type},{item.value if item.type in ('dir', 'file') else item.value[max(begin, 0) :]}"


class ZshWords(_Quiet, ZshComplete):
    """Completion in zsh, which starts its own machinery where the user's settings have not."""

    source_template = ZSH


class FishWords(_Quiet, FishComplete):
    """Completion in fish, which puts no space behind `=` by itself."""

    source_template = FISH

    def format_completion(self, item: CompletionItem) -> str:
        item.type = "plain" if item.type == PART else item.type
        return super().format_completion(item)


SHELLS: dict[str, type[ShellComplete]] = {"bash": BashWords, "zsh": ZshWords, "fish": FishWords}


def register_shells() -> None:
    """Put these classes in the place of click's own."""
    for name, words in SHELLS.items():
        add_completion_class(words, name)
