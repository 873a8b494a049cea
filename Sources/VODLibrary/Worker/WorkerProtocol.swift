package import LibAV
package import Packaging

/// The request that the server writes to a worker's standard input: one JSON line, then end of file.
///
/// One worker process does one task on one file, so that a file that makes libav crash, loop or exhaust memory fails
/// one job and nothing else.
package struct WorkerRequest: Codable, Sendable, Equatable {
    package var task: Task
    /// Absolute path of the file to open; empty for a slate without a source file.
    package var input: String
    package var limits: WorkerLimits

    /// The task of a worker. Outputs are absolute paths.
    package enum Task: Codable, Sendable, Equatable {
        /// Describes the contents of the file.
        case probe
        /// Writes an MP4 with H.264 or HEVC and AAC. Streams that are already in these formats are copied, others
        /// converted. Subtitles and chapters go into the folder of ``TitleTexts``, which has to exist.
        case toMovie(output: String)
        /// The same with all streams converted, for a file that cannot be packaged after copying.
        case toTranscodedMovie(output: String)
        /// Writes the audio alone as `.m4a` with AAC; AAC is copied.
        case toAudioMovie(output: String)
        /// Writes one representative frame as JPEG, at most `width` pixels wide.
        case poster(output: String, width: Int)
        /// Writes the embedded cover art to `output` plus `.jpg`, `.png`, `.gif` or `.webp`. `WorkerResult.cover` is
        /// the type, and `nil` if there is no cover.
        case cover(output: String)
        /// Writes a loop for a channel without a publisher as MP4 with H.264 and, if the shape has audio, AAC.
        case slate(output: String, shape: SlateShape)
        /// Makes images other than the automatic poster.
        case picture(PictureWork)
        /// Performs a step of making a title's ladder.
        case ladder(LadderWork)
    }

    package init(task: Task, input: String, limits: WorkerLimits) {
        self.task = task
        self.input = input
        self.limits = limits
    }
}

/// Resource limits of one worker. The kernel enforces all except the last, which the worker and its parent both watch.
package struct WorkerLimits: Codable, Sendable, Equatable {
    /// RLIMIT_AS, in bytes. libav's libraries alone map about 300 MB.
    package var addressSpaceByteCount: Int
    /// RLIMIT_CPU, in seconds, summed over threads.
    package var cpuSeconds: Int
    /// RLIMIT_FSIZE: the size of the largest file that may be written, in bytes.
    package var fileByteCount: Int
    package var wallClockSeconds: Int

    package init(addressSpaceByteCount: Int, cpuSeconds: Int, fileByteCount: Int, wallClockSeconds: Int) {
        self.addressSpaceByteCount = addressSpaceByteCount
        self.cpuSeconds = cpuSeconds
        self.fileByteCount = fileByteCount
        self.wallClockSeconds = wallClockSeconds
    }

    /// Limits for probe, poster and cover, which read little of a file.
    package static let inspection = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 60,
        fileByteCount: 64 << 20,
        wallClockSeconds: 60
    )

    /// Limits for slates: 20 s of 4K video take less on a slow machine.
    package static let slate = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 120,
        fileByteCount: 64 << 20,
        wallClockSeconds: 180
    )

    /// Limits for conversions. A day of processor time is enough for a long film on a small machine; 4 GiB hold x264's
    /// look-ahead for 4K video.
    package static let conversion = WorkerLimits(
        addressSpaceByteCount: 4 << 30,
        cpuSeconds: 24 * 3600,
        fileByteCount: 256 << 30,
        wallClockSeconds: 24 * 3600
    )
}

/// One JSON line on a worker's standard output. The last one is `done` or `failed`, unless the process was killed.
package enum WorkerEvent: Codable, Sendable, Equatable {
    /// - Parameter version: the version of libavformat, for example "59.27.100".
    case started(version: String)
    case probed(MediaDescription)
    /// Progress from 0 to 1, never falling; at most ten lines a second.
    case progress(fraction: Double)
    case done(WorkerResult)
    /// - Parameter reason: a human-readable text that names the file and what is wrong with it; it is shown unchanged.
    case failed(reason: String)
}

/// The contents of a file, as libav reports them.
package struct MediaDescription: Codable, Sendable, Equatable {
    /// The demuxer's short name, for example `matroska,webm`.
    package var container: String
    /// Duration in seconds; `nil` if the file does not contain it.
    package var duration: Double?
    package var streams: [StreamDescription]
    /// The file's tags with lower-case keys, such as `title`, `artist`, `album`, `date`, `track` and `genre`, within
    /// `InputFile.maximumTagCount`.
    package var tags: [String: String]
    package var hasAttachedPicture: Bool

    package init(
        container: String,
        duration: Double?,
        streams: [StreamDescription],
        tags: [String: String],
        hasAttachedPicture: Bool
    ) {
        self.container = container
        self.duration = duration
        self.streams = streams
        self.tags = tags
        self.hasAttachedPicture = hasAttachedPicture
    }
}

/// One stream of a file; cover art is not included.
package struct StreamDescription: Codable, Sendable, Equatable {
    package var index: Int
    /// `video`, `audio`, `subtitle` or `other`.
    package var type: String
    /// libav's name: `h264`, `hevc`, `aac`, `vp8`, `opus`.
    package var codec: String
    package var width: Int?
    package var height: Int?
    /// Size of the displayed video: upright, with square pixels.
    package var shownSize: ShownSize?
    /// Average frames per second.
    package var frameRate: Double?
    package var sampleRate: Int?
    package var channels: Int?
    /// Language as in the file, in ISO 639-2.
    package var language: String?

    package init(
        index: Int,
        type: String,
        codec: String,
        width: Int? = nil,
        height: Int? = nil,
        frameRate: Double? = nil,
        sampleRate: Int? = nil,
        channels: Int? = nil,
        language: String? = nil
    ) {
        self.index = index
        self.type = type
        self.codec = codec
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channels = channels
        self.language = language
    }
}

/// A worker's report on what it made. It names no file, because the server knows the paths that it requested.
package struct WorkerResult: Codable, Sendable, Equatable {
    /// Type of the cover art that was found; `nil` for a file without one, and for every other task.
    package var cover: CoverType?
    package var copiedStreams: Int
    package var transcodedStreams: Int
    /// The contents of the input, for every task.
    package var description: MediaDescription?
    /// Streams of the input that are in no output, with human-readable reasons.
    package var leftOut: [String]?
    /// A human-readable reason why more was converted than the codecs required.
    package var note: String?
    /// Presentation time of the first frame of a ladder's movie, in ticks of the source's timescale.
    package var firstTime: Int64?

    package init(
        cover: CoverType? = nil,
        copiedStreams: Int = 0,
        transcodedStreams: Int = 0,
        description: MediaDescription? = nil
    ) {
        self.cover = cover
        self.copiedStreams = copiedStreams
        self.transcodedStreams = transcodedStreams
        self.description = description
    }
}
