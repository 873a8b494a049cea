#!/bin/sh
# Makes the sample library in media/: short films and tracks, generated, so free of anyone's rights.
# Files that exist are left alone; delete one to have it made again. Needs only Debian's ffmpeg.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
vod=$root/media/vod
audio=$root/media/audio
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v ffmpeg >/dev/null || {
    echo "make-sample-media: ffmpeg is missing; install it with: apt-get install ffmpeg" >&2
    exit 1
}
mkdir -p "$vod" "$audio"

# make FILE ARGUMENTS...: runs ffmpeg unless FILE is there; a file appears only when it is whole.
make() {
    file=$1
    shift
    if [ -s "$file" ]; then
        echo "have  ${file#"$root"/}"
        return
    fi
    echo "make  ${file#"$root"/}"
    part=$work/$(basename "$file")
    ffmpeg -nostdin -v error -y "$@" -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -threads 1 "$part"
    mv "$part" "$file"
}

# chord SECONDS A B C D: a slow chord of four frequencies, a little different left and right.
chord() {
    swell="(0.6+0.4*sin(2*PI*t/7))*min(1\,t)*min(1\,$1-t)"
    echo "aevalsrc=exprs='0.11*$swell*(sin(2*PI*$2*t)+sin(2*PI*$3*t)+0.6*sin(2*PI*$4*t))\
|0.11*$swell*(sin(2*PI*$2*t)+sin(2*PI*$4*t)+0.6*sin(2*PI*$5*t))':s=$6:d=$1"
}

# A film with B frames, 24 pictures a second, AAC: indexed where it lies.
make "$vod/mandelbrot-voyage.mp4" \
    -f lavfi -i "mandelbrot=size=640x360:rate=24:end_scale=0.002:end_pts=700,hue=s=1.4" \
    -f lavfi -i "$(chord 30 110 164.81 220 277.18 48000)" -t 30 \
    -c:v libx264 -preset slow -profile:v high -bf 3 -crf 33 -maxrate 350k -bufsize 700k -g 48 -pix_fmt yuv420p \
    -c:a aac -b:a 96k -metadata title="Mandelbrot Voyage" -metadata date=2026 -metadata:s:a:0 language=eng

# Without B frames, baseline, 25 pictures a second.
make "$vod/colour-drift.mp4" \
    -f lavfi -i "gradients=size=640x360:rate=25:speed=0.02:c0=0x1b2a6b:c1=0xe0563b:c2=0xf2c14e:c3=0x2a9d8f:nb_colors=4:seed=7" \
    -f lavfi -i "$(chord 20 130.81 196 261.63 329.63 44100)" -t 20 \
    -c:v libx264 -preset slow -profile:v baseline -bf 0 -crf 28 -maxrate 600k -bufsize 1200k -g 50 -pix_fmt yuv420p \
    -c:a aac -b:a 96k -metadata title="Colour Drift" -metadata date=2026 -metadata:s:a:0 language=eng

# 30000/1001 pictures a second, a moving test picture.
make "$vod/test-pattern.mp4" \
    -f lavfi -i "testsrc2=size=854x480:rate=30000/1001" \
    -f lavfi -i "$(chord 12 220 277.18 329.63 440 48000)" -t 12 \
    -c:v libx264 -preset slow -profile:v main -bf 2 -crf 30 -maxrate 900k -bufsize 1800k -g 60 -pix_fmt yuv420p \
    -c:a aac -b:a 96k -metadata title="Test Pattern 29.97" -metadata date=2026 -metadata:s:a:0 language=eng

# Matroska with H.264 and Opus: the pictures are copied, the sound is converted.
make "$vod/garden-of-life.mkv" \
    -f lavfi -i "life=size=160x90:rate=12:mold=12:ratio=0.12:seed=11:death_color=0x103050:life_color=0x7fe0a0:mold_color=0x305080,scale=640:360:flags=neighbor,fps=24" \
    -f lavfi -i "$(chord 15 146.83 220 293.66 369.99 48000)" -t 15 \
    -c:v libx264 -preset slow -profile:v high -bf 2 -crf 33 -maxrate 700k -bufsize 1400k -g 48 -pix_fmt yuv420p \
    -c:a libopus -b:a 64k -metadata title="Garden of Life" -metadata:s:a:0 language=eng

# WebM with VP8 and Vorbis: everything is converted.
make "$vod/sunset-waves.webm" \
    -f lavfi -i "gradients=size=480x270:rate=25:speed=0.05:c0=0x2b1055:c1=0xd76d77:c2=0xffaf7b:nb_colors=3:type=spiral:seed=3" \
    -f lavfi -i "$(chord 10 98 146.83 196 246.94 48000)" -t 10 \
    -pix_fmt yuv420p -c:v libvpx -b:v 350k -deadline good -cpu-used 2 -g 50 -c:a libvorbis -q:a 2 \
    -metadata title="Sunset Waves" -metadata:s:a:0 language=eng

# Covers: one picture each.
cover() {
    ffmpeg -nostdin -v error -y -f lavfi \
        -i "gradients=size=400x400:rate=1:c0=$2:c1=$3:nb_colors=2:seed=$4:type=${5:-linear}" \
        -frames:v 1 -fflags +bitexact -flags:v +bitexact -threads 1 "$work/$1"
}
cover dawn.jpg 0xf6d365 0xfda085 1
cover harbour.jpg 0x30cfd0 0x330867 2 radial
cover forest.png 0x134e5e 0x71b280 5

tags() { # TITLE ALBUM TRACK GENRE
    printf '%s\n' -metadata "title=$1" -metadata "artist=Antena Ensemble" -metadata "album=$2" -metadata "track=$3" \
        -metadata "date=2026" -metadata "genre=$4"
}
# Tag values hold spaces: arguments are split at line ends only.
newline='
'
old_ifs=$IFS
track() { # FILE SECONDS A B C D RATE TITLE ALBUM TRACK GENRE -- ffmpeg arguments for inputs after the first and codecs
    file=$1
    source=$(chord "$2" "$3" "$4" "$5" "$6" "$7")
    metadata=$(tags "$8" "$9" "${10}" "${11}")
    shift 11
    IFS=$newline
    # shellcheck disable=SC2086
    make "$file" -f lavfi -i "$source" "$@" $metadata
    IFS=$old_ifs
}

track "$audio/dawn.mp3" 30 261.63 329.63 392 523.25 44100 "Dawn" "First Light" 1 Ambient \
    -i "$work/dawn.jpg" -map 0:a -map 1:v -c:v copy -disposition:v attached_pic -c:a libmp3lame -b:a 96k -id3v2_version 3
track "$audio/harbour.m4a" 30 196 246.94 293.66 392 44100 "Harbour" "First Light" 2 Ambient \
    -i "$work/harbour.jpg" -map 0:a -map 1:v -c:v copy -disposition:v attached_pic -c:a aac -b:a 96k
track "$audio/night-bus.opus" 25 164.81 207.65 246.94 329.63 48000 "Night Bus" "First Light" 3 Electronic \
    -c:a libopus -b:a 64k
track "$audio/forest.flac" 12 174.61 220 261.63 349.23 44100 "Forest" "Quiet Places" 1 Ambient \
    -i "$work/forest.png" -map 0:a -map 1:v -c:v copy -disposition:v attached_pic -c:a flac -compression_level 12
track "$audio/signal.wav" 6 440 554.37 659.25 880 22050 "Signal" "Quiet Places" 2 Electronic -c:a pcm_s16le

echo "sample library: $(du -sh "$root/media" | cut -f1) in media/"
