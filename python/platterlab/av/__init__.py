"""Audio and video on a disk: aligned tracks, how many streams a drive carries, and their buffers.

After Gim, Chang, Jung, Won, Shim and Park 2009, "Hard Disk Drive for HD Quality Multimedia Home
Appliance".
"""
