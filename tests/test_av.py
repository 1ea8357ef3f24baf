"""Drives for audio and video: the commands, the equations and the study."""

import json
import math

import pytest
from conftest import run

from platterlab import studies
from platterlab.av import equations, plan, units
from platterlab.studies import Request

DISK1 = "samsung-120g-disk1"
