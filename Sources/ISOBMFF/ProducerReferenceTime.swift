package import MediaCore

/// The date of a fragment: `prft` (ISO/IEC 14496-12 §8.16.5), before the `moof` that it belongs to.
package struct ProducerReferenceTime: Sendable, Hashable {
    /// Size of the box.
    package static let byteCount = 32

    package var trackID: UInt32
    /// The decode time of the fragment, in the track's timescale.
    package var decodeTime: Int64
    package var time: NTPTimestamp

    /// - Parameters:
    ///   - trackID: the track.
    ///   - decodeTime: the decode time of its fragment, in its timescale.
    ///   - time: the date of the fragment's first sample.
    package init(trackID: UInt32, decodeTime: Int64, time: NTPTimestamp) {
        (self.trackID, self.decodeTime, self.time) = (trackID, decodeTime, time)
    }
}
