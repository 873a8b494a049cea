import CLibAV
package import LibAV

/// Encodes one audio track of a movie with few bits, as AAC in a movie of its own, for the renditions that slow lines
/// carry. Its edit list gives it the place that the track has in the source.
package struct LadderAudioEncoding {
    /// The average bit rate of two channels in bits per second; one channel has three quarters of it.
    package static let bitRate = 64_000

    private let input: InputFile
    private let info: StreamInfo

    /// - Parameters:
    ///   - input: the movie, opened for this alone.
    ///   - trackID: the number of the track in the movie.
    /// - Throws: `LibAVError` if there is no such track.
    package init(_ input: InputFile, trackID: UInt32) throws(LibAVError) {
        guard
            let info = input.streams.first(where: {
                $0.kind == .audio && input.stream($0).pointee.id == Int32(clamping: trackID)
            })
        else { throw LibAVError(.noMedia, file: input.name, "holds no audio track \(trackID)") }
        (self.input, self.info) = (input, info)
    }

    /// Writes the movie.
    ///
    /// - Parameters:
    ///   - path: the file to write.
    ///   - progress: called with the share that is done, 0 to 1, if the duration is known.
    /// - Throws: `LibAVError`
    package func write(to path: String, progress: (Double) -> Void) throws(LibAVError) {
        input.readOnly([info])
        let stream = input.stream(info)
        let writer = try MovieWriter(path: path, file: input.name, interruption: input.interruption)
        let transcoder = try AudioTranscoder(
            stream, info: info, writer: writer, file: input.name, bitRate: Self.bitRate)
        try writer.start(tags: [:])
        let packet = try Packet()
        let duration = input.durationMicroseconds
        while try input.read(into: packet) {
            guard packet.streamIndex == info.index else { continue }
            if let duration, duration > 0, let time = packet.presentationTime {
                let done = rescale(time, from: stream.pointee.time_base, to: microseconds)
                progress(min(1, max(0, Double(done) / Double(duration))))
            }
            try transcoder.accept(packet)
        }
        try transcoder.accept(nil)
        guard !transcoder.decodedNothing else {
            throw LibAVError(.damaged, file: input.name, "holds no readable audio in track \(info.index)")
        }
        try writer.finish()
    }
}
