"""What the tests of HTML pages ask of one: its elements in order, what they lie in, and the text in each."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"meta", "br", "wbr", "input", "circle", "rect", "path", "hr"}


@dataclass(eq=False)
class Element:
    tag: str
    attributes: dict
    parents: tuple
    text: str = ""
    children: list = field(default_factory=list)

    def all(self, *tags):
        """Return the elements in this one, of some tags or of all."""
        inside = [below for child in self.children for below in (child, *child.all())]
        return [element for element in inside if not tags or element.tag in tags]

    def has(self, name):
        return name in self.attributes.get("class", "").split()


class Document(HTMLParser):
    """A page; every element must be closed where it was opened."""

    def __init__(self, text):
        super().__init__()
        self.root = Element("", {}, ())
        self.open = [self.root]
        self.feed(text)
        self.close()
        assert self.open == [self.root], "not closed"

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), tuple(self.open))
        self.open[-1].children.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Element(tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        for element in self.open:
            element.text += data

    def all(self, *tags):
        return self.root.all(*tags)

    @property
    def ids(self):
        return [e.attributes["id"] for e in self.all() if "id" in e.attributes]
