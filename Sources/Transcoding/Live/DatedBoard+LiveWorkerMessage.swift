import BoardDrawing
import FoundationEssentials
import NIOCore

extension DatedBoard {
    static let messageType: UInt8 = 10
    /// Limit of a message: a board has about 500 bytes, and 3,000 if every character takes many.
    fileprivate static let maximumMessageByteCount = 256 << 10
}

extension [DatedBoard] {
    /// Writes the newest states.
    func write(into buffer: inout ByteBuffer) {
        let boards = suffix(DatedBoard.maximumCount).map {
            DatedBoard(from: $0.from, board: $0.board?.bounded)
        }
        if let bytes = try? JSONEncoder().encode(boards), bytes.count <= DatedBoard.maximumMessageByteCount {
            buffer.writeBytes(bytes)
        } else {
            buffer.writeString("[]")
        }
    }

    /// - Returns: `nil` if the body is damaged.
    init?(body: ByteBuffer) {
        guard body.readableBytes <= DatedBoard.maximumMessageByteCount,
            let boards = try? JSONDecoder().decode([DatedBoard].self, from: Data(body.readableBytesView)),
            boards.count <= DatedBoard.maximumCount
        else { return nil }
        self = boards.map { DatedBoard(from: $0.from, board: $0.board?.bounded) }
    }
}
