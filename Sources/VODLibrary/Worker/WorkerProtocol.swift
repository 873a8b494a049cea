package import LibAV
package import Packaging

/// What the server writes to a worker's standard input: one JSON line, then end of file.
///
/// One worker process does one task on one file, so that a file which makes libav crash, loop or eat memory fails
/// one job and nothing else.
package struct WorkerRequest: Codable, Sendable, Equatable {
    package var task: Task
    /// Absolute path of the file to open; empty for a slate that is made of nothing.
    package var input: String
    package var limits: WorkerLimits

    package enum Task: Codable, Sendable, Equatable {
        /// Says what the file holds.
        case probe
        /// Writes an MP4 with H.264 or HEVC and AAC; streams that are so already are copied, others converted. Subtitles
        /// and chapters go into the folder of ``TitleTexts``, which has to be there.
        case toMovie(output: String)
        /// The same with all streams converted, for a file whose copy cannot be packaged.
        case toTranscodedMovie(output: String)
        /// Writes the sound alone as `.m4a` with AAC; AAC is copied.
        case toAudioMovie(output: String)
        /// Writes one telling picture as JPEG, at most `width` pixels wide.
        case poster(output: String, width: Int)
        /// Writes the embedded cover art to `output` plus `.jpg`, `.png`, `.gif` or `.webp`; `WorkerResult.cover` tells
        /// which, and is `nil` when there is no cover.
        case cover(output: String)
        /// Writes a loop for a channel without a publisher as MP4 with H.264 and, where the shape has sound, AAC.
        case slate(output: String, shape: SlateShape)
        /// Other pictures than the poster that is chosen by itself.
        case picture(PictureWork)
        /// A step of making a title's qualities.
        case ladder(LadderWork)
    }

    package init(task: Task, input: String, limits: WorkerLimits) {
        self.task = task
        self.input = input
        self.limits = limits
    }
}

/// What one worker may use. The kernel enforces all but the last, which the worker and its parent both watch.
package struct WorkerLimits: Codable, Sendable, Equatable {
    /// RLIMIT_AS. libav's libraries alone map about 300 MB.
    package var addressSpaceByteCount: Int
    /// RLIMIT_CPU, summed over threads.
    package var cpuSeconds: Int
    /// RLIMIT_FSIZE: the largest file that may be written.
    package var fileByteCount: Int
    package var wallClockSeconds: Int

    package init(addressSpaceByteCount: Int, cpuSeconds: Int, fileByteCount: Int, wallClockSeconds: Int) {
        self.addressSpaceByteCount = addressSpaceByteCount
        self.cpuSeconds = cpuSeconds
        self.fileByteCount = fileByteCount
        self.wallClockSeconds = wallClockSeconds
    }

    /// For probe, poster and cover, which read little of a file.
    package static let inspection = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 60,
        fileByteCount: 64 << 20,
        wallClockSeconds: 60
    )

    /// For slates: 20 s of 4K pictures on a slow machine take less.
    package static let slate = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 120,
        fileByteCount: 64 << 20,
        wallClockSeconds: 180
    )

    /// For conversions: a day of processor time is a long film on a small machine; 4 GiB holds x264's look-ahead
    /// for 4K pictures.
    package static let conversion = WorkerLimits(
        addressSpaceByteCount: 4 << 30,
        cpuSeconds: 24 * 3600,
        fileByteCount: 256 << 30,
        wallClockSeconds: 24 * 3600
    )
}

/// One JSON line on a worker's standard output. The last is `done` or `failed`, unless the process was killed.
package enum WorkerEvent: Codable, Sendable, Equatable {
    /// - Parameter version: libavformat's, as "59.27.100".
    case started(version: String)
    case probed(MediaDescription)
    /// 0 to 1, never falling; at most ten a second.
    case progress(fraction: Double)
    case done(WorkerResult)
    /// - Parameter reason: names the file and what is wrong with it; shown to people as it is.
    case failed(reason: String)
}

/// What a file holds, as libav sees it.
package struct MediaDescription: Codable, Sendable, Equatable {
    /// The demuxer's short name, such as `matroska,webm`.
    package var container: String
    /// Seconds; `nil` where the file does not tell.
    package var duration: Double?
    package var streams: [StreamDescription]
    /// Lower-case keys: `title`, `artist`, `album`, `date`, `track`, `genre` and what else the file has, within
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

/// One stream of a file; cover art is not among them.
package struct StreamDescription: Codable, Sendable, Equatable {
    package var index: Int
    /// `video`, `audio`, `subtitle` or `other`.
    package var type: String
    /// libav's name: `h264`, `hevc`, `aac`, `vp8`, `opus`.
    package var codec: String
    package var width: Int?
    package var height: Int?
    /// Of the picture as it is shown: upright, with square pixels.
    package var shownSize: ShownSize?
    /// Pictures a second, on average.
    package var frameRate: Double?
    package var sampleRate: Int?
    package var channels: Int?
    /// ISO 639-2, as the file has it.
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

/// What a worker says about what it made. It names no file: the server knows where it asked for them.
package struct WorkerResult: Codable, Sendable, Equatable {
    /// Type of the cover art that was found; `nil` for a file without, and for every other task.
    package var cover: CoverType?
    package var copiedStreams: Int
    package var transcodedStreams: Int
    /// Of the input, for every task.
    package var description: MediaDescription?
    /// Streams of the input that are in no output, and why; for people.
    package var leftOut: [String]?
    /// For people: why more was converted than the codecs asked for.
    package var note: String?
    /// Of a ladder's movie: when its first picture is shown, in ticks of the source's timescale.
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
