"""The name of the variable that tells the server of workers what to import."""

from typing import Final

NEEDS: Final = "PORTING_PRELOAD"
