import CLibAV
package import LibAV

/// Joins the encoded chunks of a rendition into one movie without re-encoding.
package struct LadderJoining {
    /// An encoded chunk of a rendition as written by ``LadderEncoding``.
    package struct Piece {
        package var path: String
        /// The chunk's start, in ticks.
        package var start: Int64

        /// Creates a piece; the parameters are the properties of the same names.
        package init(path: String, start: Int64) {
            self.path = path
            self.start = start
        }
    }

    /// The result of joining.
    package struct Outcome: Sendable, Hashable {
        /// The presentation time of the first frame, which becomes the movie's zero, in ticks.
        package var start: Int64
        /// The number of frames in the movie.
        package var frameCount: Int
    }

    /// The largest number of frames in a chunk: 30 s at 60 frames per second, five times over.
    private static let maximumFrameCountPerPiece = 10_000

    private let timescale: Int32
    /// The end of the last frame, in ticks.
    private let end: Int64
    private let interruption: Interruption

    /// Creates a joining.
    ///
    /// - Parameters:
    ///   - timescale: Ticks per second of all times.
    ///   - end: The end of the last frame, in ticks.
    ///   - interruption: Ends the work from any thread.
    package init(timescale: Int32, end: Int64, interruption: Interruption) {
        self.timescale = timescale
        self.end = end
        self.interruption = interruption
    }

    private var timeBase: AVRational { AVRational(num: 1, den: timescale) }

    /// Writes the movie. Throws `LibAVError` if a chunk is incomplete or was encoded with other parameters.
    ///
    /// - Parameters:
    ///   - pieces: The chunks in their order, each with at least one frame.
    ///   - path: The file to write.
    ///   - file: The file to name in errors.
    ///   - progress: Called with the share that is done, 0 to 1.
    package func write(
        _ pieces: [Piece], to path: String, file: String, progress: (Double) -> Void
    ) throws(LibAVError) -> Outcome {
        guard let first = pieces.first else {
            throw LibAVError(.noMedia, file: file, "has no chunks to join")
        }
        let writer = try MovieWriter(path: path, file: file, interruption: interruption)
        let firstInput = try InputFile(path: first.path, interruption: interruption)
        let stream = try Self.stream(of: firstInput)
        let track = try writer.addCopy(of: stream, timeBase: timeBase)
        let parameterSets = stream.pointee.codecpar.record
        let delay = Int(max(0, min(16, stream.pointee.codecpar.pointee.video_delay)))
        try writer.start(tags: [:])
        var clock = DecodeClock(delay: delay)
        var outcome = Outcome(start: 0, frameCount: 0)
        // Writing is one chunk late, because the last frame lasts until the next chunk.
        var pending: [Packet] = []
        for (position, piece) in pieces.enumerated() {
            let input = position == 0 ? firstInput : try InputFile(path: piece.path, interruption: interruption)
            guard try Self.stream(of: input).pointee.codecpar.record == parameterSets else {
                throw LibAVError(.damaged, file: file, "was encoded with changing parameters")
            }
            let packets = try read(input, piece: piece)
            let times = packets.compactMap(\.presentationTime).sorted()
            guard let start = times.first, times.count == packets.count else {
                throw LibAVError(.damaged, file: piece.path, "has frames without a time")
            }
            if position == 0 { outcome.start = start }
            try write(pending, to: writer, track: track, origin: outcome.start, next: start, clock: &clock)
            pending = packets
            outcome.frameCount += packets.count
            progress(Double(position) / Double(pieces.count))
        }
        try write(pending, to: writer, track: track, origin: outcome.start, next: end, clock: &clock)
        try writer.finish()
        return outcome
    }

    private func read(_ input: InputFile, piece: Piece) throws(LibAVError) -> [Packet] {
        let stream = try Self.stream(of: input)
        var packets: [Packet] = []
        while packets.count < Self.maximumFrameCountPerPiece {
            let packet = try Packet()
            guard try input.read(into: packet) else { return packets }
            guard !packet.isCorrupt else { throw LibAVError(.truncated, file: input.name, "is incomplete") }
            packet.presentationTime = packet.presentationTime.map {
                rescale($0, from: stream.pointee.time_base, to: timeBase) + piece.start
            }
            packets.append(packet)
        }
        throw LibAVError(.damaged, file: input.name, "has more frames than a chunk can have")
    }

    private func write(
        _ packets: [Packet], to writer: MovieWriter, track: Int, origin: Int64, next: Int64,
        clock: inout DecodeClock
    ) throws(LibAVError) {
        let times = packets.compactMap { $0.presentationTime }.sorted()
        let decodeTimes = clock.decodeTimes(of: times)
        for (index, packet) in packets.enumerated() {
            let presentationTime = packet.presentationTime ?? 0
            guard decodeTimes[index] <= presentationTime else {
                throw LibAVError(.damaged, file: nil, "an encoder reorders frames further than it announced")
            }
            // The muxer uses the distance to the next decode time; this is for the very last frame.
            packet.duration = max(1, next - times[times.count - 1])
            packet.presentationTime = presentationTime - origin
            packet.decodeTime = decodeTimes[index] - origin
            try writer.write(packet, track: track, timeBase: timeBase)
        }
    }

    private static func stream(of input: InputFile) throws(LibAVError) -> UnsafeMutablePointer<AVStream> {
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no video")
        }
        return input.stream(info)
    }
}
