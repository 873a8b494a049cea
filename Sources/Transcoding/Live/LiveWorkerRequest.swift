package import BoardDrawing
package import Codecs
package import MediaCore
package import NIOCore

/// A message from a server to its live worker.
package enum LiveWorkerRequest: Sendable {
    /// The codec to decode; the first message, sent once.
    case begin(ForeignCodec, Timescale)
    /// Instead of a codec: key frames follow, of which pictures are wanted; see ``PictureWorkerMessage``.
    case beginPictures
    /// Instead of a codec: the lower qualities to make of a channel's video.
    case beginLadder(LiveLadderRequest)
    /// The qualities of the ladder to encode from the next unit on.
    case adjust(LiveLadderAdjustment)
    /// Pictures of the ladder before this time are only decoded; the one that follows is a key frame.
    case resume(at: Int64)
    /// The states of the scoreboard that is drawn into a quality of the ladder, in place of all former ones.
    case boards([DatedBoard])
    /// The dates of the ladder's frames from the next unit on.
    case dates(FrameDates)
    /// A unit to transcode.
    case unit(AccessUnit)

    private static let resumeType: UInt8 = 8

    /// Appends the encoded message.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .begin(let codec, let timescale):
            LiveWorkerMessage.write(0, into: &buffer) { buffer in
                buffer.writeInteger(codec.number)
                buffer.writeInteger(UInt32(clamping: codec.audioShape?.sampleRate ?? 0))
                buffer.writeInteger(UInt8(clamping: codec.audioShape?.channelCount ?? 0))
                buffer.writeInteger(timescale.ticksPerSecond)
            }
        case .beginPictures: PictureWorkerMessage.writeBegin(into: &buffer)
        case .beginLadder(let ladder):
            LiveWorkerMessage.write(LiveLadderRequest.beginType, into: &buffer) { ladder.write(into: &$0) }
        case .adjust(let adjustment):
            LiveWorkerMessage.write(LiveLadderAdjustment.type, into: &buffer) { adjustment.write(into: &$0) }
        case .resume(let time):
            LiveWorkerMessage.write(Self.resumeType, into: &buffer) { $0.writeInteger(time) }
        case .boards(let boards):
            LiveWorkerMessage.write(DatedBoard.messageType, into: &buffer) { boards.write(into: &$0) }
        case .dates(let dates): LiveWorkerMessage.write(FrameDates.type, into: &buffer) { dates.write(into: &$0) }
        case .unit(let unit):
            LiveWorkerMessage.write(1, into: &buffer) { buffer in
                buffer.writeInteger(unit.decodeTime)
                buffer.writeInteger(unit.presentationTime)
                buffer.writeInteger(UInt8(unit.isRandomAccessPoint ? 1 : 0))
                if case .frame(let payload) = unit.payload { buffer.writeImmutableBuffer(payload) }
            }
        }
    }

    /// Parses a message; throws ``LiveWorkerMessage/Damage`` if it is invalid.
    init(type: UInt8, body: ByteBuffer) throws(LiveWorkerMessage.Damage) {
        var body = body
        switch type {
        case 0:
            guard let number: UInt8 = body.readInteger(), let rate: UInt32 = body.readInteger(),
                let channels: UInt8 = body.readInteger(),
                let timescale = body.readInteger(as: UInt32.self).flatMap(Timescale.init(checking:)),
                let codec = ForeignCodec(number: number, sampleRate: Int(rate), channelCount: Int(channels))
            else { throw LiveWorkerMessage.Damage(description: "an unknown codec") }
            self = .begin(codec, timescale)
        case 1:
            guard let decodeTime: Int64 = body.readInteger(), let presentationTime: Int64 = body.readInteger(),
                let flag: UInt8 = body.readInteger()
            else { throw LiveWorkerMessage.Damage(description: "a unit without times") }
            self = .unit(
                AccessUnit(
                    decodeTime: decodeTime, presentationTime: presentationTime, isRandomAccessPoint: flag != 0,
                    payload: .frame(body)))
        case PictureWorkerMessage.beginType: self = .beginPictures
        case LiveLadderRequest.beginType:
            guard let ladder = LiveLadderRequest(body: body) else {
                throw LiveWorkerMessage.Damage(description: "an implausible ladder")
            }
            self = .beginLadder(ladder)
        case LiveLadderAdjustment.type:
            guard let adjustment = LiveLadderAdjustment(body: body) else {
                throw LiveWorkerMessage.Damage(description: "an implausible adjustment")
            }
            self = .adjust(adjustment)
        case Self.resumeType:
            guard let time: Int64 = body.readInteger() else {
                throw LiveWorkerMessage.Damage(description: "a resumption without a time")
            }
            self = .resume(at: time)
        case DatedBoard.messageType:
            guard let boards = [DatedBoard](body: body) else {
                throw LiveWorkerMessage.Damage(description: "implausible boards")
            }
            self = .boards(boards)
        case FrameDates.type:
            guard let dates = FrameDates(body: body) else {
                throw LiveWorkerMessage.Damage(description: "dates without a time")
            }
            self = .dates(dates)
        default: throw LiveWorkerMessage.Damage(description: "an unknown request")
        }
    }
}
