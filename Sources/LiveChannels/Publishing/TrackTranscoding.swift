import MediaCore

/// The transcoder of a foreign track, and the relay that returns its output.
struct TrackTranscoding {
    let transcoder: any LiveTranscoder
    let relay: TranscoderRelay<LiveTranscoderOutput>
    /// The timescale of the units that it produces.
    var timescale: Timescale
    /// True if an overload has been reported. It is reported once per push, because it occurs with every unit or not at
    /// all.
    var hasReportedOverload = false

    func close() {
        transcoder.close()
        relay.close()
    }
}
