"""Recordings: one temporal VTKHDF file that ParaView opens as it is and that also holds all a restart needs."""
