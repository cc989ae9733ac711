"""Recordings: temporal VTKHDF files that ParaView opens as they are and that hold all a restart needs.

``writer.RecordingWriter`` writes ``frames.Frame``; ``reader.open_recording`` gives a ``recording.Recording``.
"""
