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
        /// converted. Subtitles and chapters go into the folder of ``ConvertedSubtitles``, which has to exist.
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
        case image(ImageWork)
        /// Performs a step of making a title's ladder.
        case ladder(LadderWork)
    }

    package init(task: Task, input: String, limits: WorkerLimits) {
        self.task = task
        self.input = input
        self.limits = limits
    }
}
