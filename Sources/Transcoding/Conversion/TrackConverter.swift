import LibAV

/// Converts one input stream's packets to one track of a movie.
protocol TrackConverter: AnyObject {
    /// Converts a packet.
    ///
    /// - Parameter packet: A packet of this stream with times in the stream's time base; `nil` at the end of the file.
    func accept(_ packet: Packet?) throws(LibAVError)

    /// True if the stream was decoded without yielding a single frame.
    var decodedNothing: Bool { get }
}

extension TrackConverter {
    var decodedNothing: Bool { false }
}
