/// A sample of a title, for RTSP readers and others that get samples one by one.
package struct TimedSample: Sendable, Hashable {
    /// The index in the file's sample table.
    package var index: Int
    /// The decode time on the title's timeline, in the track's timescale; negative if decoding starts before
    /// presentation.
    package var decodeTime: Int64
    /// The presentation time on the title's timeline, in the track's timescale.
    package var presentationTime: Int64
    /// The duration in the track's timescale.
    package var duration: Int64
    package var isSync: Bool
    package var range: FileRange
}
