"""A translator that writes something else in one place, to see that the proof finds it."""

from porting.translate.module import Translator


def spoil(monkeypatch, right, other):
    """Have each translation say `other` where it says `right`, which it has to."""
    made = Translator.translate

    def wrong(self, *given, **options):
        done = made(self, *given, **options)
        assert right in done.text
        done.text = done.text.replace(right, other)
        return done

    monkeypatch.setattr(Translator, "translate", wrong)
