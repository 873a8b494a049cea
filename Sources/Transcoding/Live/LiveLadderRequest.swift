package import MediaCore
import NIOCore

/// The ladder that a live worker makes of a channel's video: the same pictures in lower qualities. Key frames are where
/// the source has them.
package struct LiveLadderRequest: Sendable, Hashable {
    /// One quality, which never has more pixels or frames than the source.
    package struct Rung: Sendable, Hashable {
        /// The sides in pixels of the box that the upright picture fits into; for a portrait source the box is turned.
        package var width: Int
        package var height: Int
        /// Frames per second.
        package var frameRate: Double
        /// The average bit rate in bits per second; see ``LiveWorkerRequest/adjust(_:)``.
        package var bitRate: Int

        /// Creates a quality; the parameters are the properties of the same names.
        package init(width: Int, height: Int, frameRate: Double, bitRate: Int) {
            (self.width, self.height, self.frameRate, self.bitRate) = (width, height, frameRate, bitRate)
        }
    }

    /// The codec of the source.
    package var codec: KeyFrame.Codec
    /// The timescale of all times.
    package var timescale: Timescale
    /// libav's name of the encoder, one of ``LadderEncoder/liveNames``.
    package var encoder: String
    /// The qualities, the largest first.
    package var rungs: [Rung]
    /// The index of the quality into which the scoreboard is drawn; `nil` for none.
    package var boardRung: Int?

    /// Limit of qualities: a channel has three or four, eight at most and one with the scoreboard, and each is a thread
    /// of its worker.
    package static let maximumRungCount = 9
    static let beginType: UInt8 = 6

    private static let sides = 16...8_192
    private static let frameRates = 1.0...300.0
    static let bitRates = 1...200_000_000
    private static let maximumNameByteCount = 32
    /// The number for a ladder without a scoreboard.
    private static let noRung = UInt8.max

    /// Creates a request; the parameters are the properties of the same names.
    package init(
        codec: KeyFrame.Codec, timescale: Timescale, encoder: String, rungs: [Rung], boardRung: Int? = nil
    ) {
        (self.codec, self.timescale, self.encoder, self.rungs) = (codec, timescale, encoder, rungs)
        self.boardRung = boardRung
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(codec.rawValue)
        buffer.writeInteger(timescale.ticksPerSecond)
        let name = encoder.utf8.prefix(Self.maximumNameByteCount)
        buffer.writeInteger(UInt8(name.count))
        buffer.writeBytes(name)
        buffer.writeInteger(boardRung.map { UInt8(clamping: $0) } ?? Self.noRung)
        for rung in rungs.prefix(Self.maximumRungCount) {
            buffer.writeInteger(UInt16(clamping: rung.width))
            buffer.writeInteger(UInt16(clamping: rung.height))
            buffer.writeInteger(rung.frameRate.bitPattern)
            buffer.writeInteger(UInt32(clamping: rung.bitRate))
        }
    }

    /// - Returns: `nil` if the body is damaged, or asks for what no channel has.
    init?(body: ByteBuffer) {
        var body = body
        guard let codec = body.readInteger(as: UInt8.self).flatMap(KeyFrame.Codec.init(rawValue:)),
            let timescale = body.readInteger(as: UInt32.self).flatMap(Timescale.init(checking:)),
            let length: UInt8 = body.readInteger(), let name = body.readString(length: Int(length)),
            LadderEncoder.liveNames.contains(name), let board: UInt8 = body.readInteger()
        else { return nil }
        self.init(
            codec: codec, timescale: timescale, encoder: name, rungs: [],
            boardRung: board == Self.noRung ? nil : Int(board))
        while body.readableBytes > 0 {
            guard rungs.count < Self.maximumRungCount, let width: UInt16 = body.readInteger(),
                let height: UInt16 = body.readInteger(),
                let frameRate = body.readInteger(as: UInt64.self).map(Double.init(bitPattern:)),
                let bitRate: UInt32 = body.readInteger(), Self.sides.contains(Int(width)),
                Self.sides.contains(Int(height)), Self.frameRates.contains(frameRate),
                Self.bitRates.contains(Int(bitRate))
            else { return nil }
            rungs.append(
                Rung(width: Int(width), height: Int(height), frameRate: frameRate, bitRate: Int(bitRate)))
        }
        guard !rungs.isEmpty, boardRung.map(rungs.indices.contains) ?? true else { return nil }
    }
}
