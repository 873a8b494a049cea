package import NIOCore

/// A message about a splice (SCTE 35 §9), as far as viewers are told of it.
package struct SpliceInformation: Sendable, Hashable {
    /// The kind of message.
    package enum Kind: Sendable, Hashable {
        /// A break begins.
        case out
        /// A break ends.
        case `in`
        /// Any other command.
        case command
    }

    package let kind: Kind
    /// The number of the break; `nil` for other commands.
    package let event: UInt32?
    /// The time of the splice in units of 90 kHz, of which 33 bits count; `nil` for at once.
    package let time: Int64?
    /// Duration of the break in units of 90 kHz; `nil` if the message does not say.
    package let duration: Int64?
    /// The whole section with its checksum.
    package let bytes: [UInt8]

    private enum Command {
        static let null: UInt8 = 0
        static let insert: UInt8 = 5
        static let signal: UInt8 = 6
    }

    private static let timeMask: UInt64 = (1 << 33) - 1
    /// Bytes of a message that stand in a playlist.
    package static let maximumByteCount = 512

    /// - Parameter section: the section without its checksum.
    /// - Returns: `nil` for a message that says nothing to viewers, or is damaged, encrypted or cancelled.
    package init?(_ section: ByteBuffer) {
        var body = section
        guard body.readSlice(length: 4) != nil, let first = body.readInteger(as: UInt8.self), first & 0x80 == 0,
            let low = body.readInteger(as: UInt32.self), body.readInteger(as: UInt8.self) != nil,
            body.readSlice(length: 3) != nil, let command = body.readInteger(as: UInt8.self), command != Command.null
        else { return nil }
        let adjustment = UInt64(first & 1) << 32 | UInt64(low)
        var content = Content()
        switch command {
        case Command.insert:
            guard let insert = Content(insert: &body) else { return nil }
            content = insert
        case Command.signal: content.time = Self.spliceTime(&body)
        default: break
        }
        (kind, event, duration) = (content.kind, content.event, content.duration)
        time = content.time.map { Int64(($0 &+ adjustment) & Self.timeMask) }
        var whole = Array(section.readableBytesView)
        let checksum = TSSectionAssembler.checksum(whole)
        whole += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
        guard whole.count <= Self.maximumByteCount else { return nil }
        bytes = whole
    }

    private struct Content {
        var kind = Kind.command
        var event: UInt32?
        var time: UInt64?
        var duration: Int64?

        init() {}

        /// Reads `splice_insert` (§9.7.3).
        init?(insert body: inout ByteBuffer) {
            guard let number = body.readInteger(as: UInt32.self), let cancel = body.readInteger(as: UInt8.self),
                cancel & 0x80 == 0, let flags = body.readInteger(as: UInt8.self)
            else { return nil }
            event = number
            kind = flags & 0x80 != 0 ? .out : .in
            let (isProgramme, hasDuration, isImmediate) = (flags & 0x40 != 0, flags & 0x20 != 0, flags & 0x10 != 0)
            if isProgramme {
                if !isImmediate { time = SpliceInformation.spliceTime(&body) }
            } else {
                guard let count = body.readInteger(as: UInt8.self) else { return nil }
                for _ in 0..<count {
                    guard body.readInteger(as: UInt8.self) != nil else { return nil }
                    if !isImmediate { time = SpliceInformation.spliceTime(&body) }
                }
            }
            guard hasDuration, let first = body.readInteger(as: UInt8.self), let low = body.readInteger(as: UInt32.self)
            else { return }
            duration = Int64(first & 1) << 32 | Int64(low)
        }
    }

    /// Reads `splice_time` (§9.8.1).
    private static func spliceTime(_ body: inout ByteBuffer) -> UInt64? {
        guard let first = body.readInteger(as: UInt8.self), first & 0x80 != 0,
            let low = body.readInteger(as: UInt32.self)
        else { return nil }
        return UInt64(first & 1) << 32 | UInt64(low)
    }

    /// Whether a time of the programme has reached the splice.
    package func isReached(at time: Int64) -> Bool {
        guard let own = self.time else { return true }
        let distance = UInt64(bitPattern: time &- own) & Self.timeMask
        return distance < Self.timeMask / 2
    }
}
