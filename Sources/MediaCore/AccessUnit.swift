/// One coded video frame, or one frame of audio, as a publisher sent it: the unit that packaging works with.
///
/// Times are ticks of the track's timescale, on a line that starts near zero with the publishing epoch and that
/// all tracks of the epoch share.
package struct AccessUnit: Sendable {
    /// Decode time in ticks. It rises strictly from one unit of a track to the next.
    package var decodeTime: Int64
    /// Presentation time in ticks. It may be before the previous unit's if frames are reordered, but is never before
    /// this unit's ``decodeTime``.
    package var presentationTime: Int64
    /// Whether decoding can start here: true for an IDR picture and for any frame of audio.
    package var isRandomAccessPoint: Bool
    /// Whether the frame is complete only with frames before the newest random access point, as in an open group of
    /// pictures: a leading frame that is skipped when decoding starts there (RASL, ITU-T H.265 §3.132), or a recovery
    /// point itself.
    package var refersBack = false
    package var payload: SamplePayload

    package init(
        decodeTime: Int64,
        presentationTime: Int64,
        isRandomAccessPoint: Bool,
        payload: SamplePayload
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.isRandomAccessPoint = isRandomAccessPoint
        self.payload = payload
    }
}
