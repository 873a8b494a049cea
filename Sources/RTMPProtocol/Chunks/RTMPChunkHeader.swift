import NIOCore

/// The header of a chunk (§5.3.1).
struct RTMPChunkHeader {
    /// How much of the message's header is there; the rest is that of the message before in the same chunk stream.
    enum Format: UInt8 {
        case full = 0
        case sameStream = 1
        case sameLength = 2
        case none = 3
    }

    let format: Format
    let chunkStream: UInt32
    /// A timestamp with a full header, otherwise the distance from the one before; `nil` without a header.
    private(set) var time: UInt32?
    /// Whether the time has 24 bits that say that 32 follow.
    private(set) var isExtended = false
    private(set) var length: UInt32?
    private(set) var type: UInt8?
    private(set) var stream: UInt32?

    /// The 24 bits that say that 32 follow.
    static let extendedTime: UInt32 = 0xff_ffff

    /// Reads a header; `nil` if it is not there yet, and nothing was read then.
    ///
    /// The extended time of a chunk without a header is not read, because not every encoder writes it.
    init?(_ bytes: inout ByteBuffer) {
        var rest = bytes
        guard let first = rest.readInteger(as: UInt8.self), let format = Format(rawValue: first >> 6) else {
            return nil
        }
        self.format = format
        switch first & 0x3f {
        case 0:
            guard let number = rest.readInteger(as: UInt8.self) else { return nil }
            chunkStream = UInt32(number) + 64
        case 1:
            guard let number = rest.readInteger(endianness: .little, as: UInt16.self) else { return nil }
            chunkStream = UInt32(number) + 64
        case let number: chunkStream = UInt32(number)
        }
        if format != .none {
            guard let time = rest.readInteger24() else { return nil }
            self.time = time
            isExtended = time == Self.extendedTime
        }
        if format == .full || format == .sameStream {
            guard let length = rest.readInteger24(), let type = rest.readInteger(as: UInt8.self) else { return nil }
            (self.length, self.type) = (length, type)
        }
        if format == .full {
            guard let stream = rest.readInteger(endianness: .little, as: UInt32.self) else { return nil }
            self.stream = stream
        }
        if isExtended {
            guard let time = rest.readInteger(as: UInt32.self) else { return nil }
            self.time = time
        }
        bytes = rest
    }
}

extension ByteBuffer {
    mutating func readInteger24() -> UInt32? {
        guard let (high, low) = readMultipleIntegers(as: (UInt8, UInt16).self) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    mutating func writeInteger24(_ value: UInt32) {
        writeInteger(UInt8(truncatingIfNeeded: value >> 16))
        writeInteger(UInt16(truncatingIfNeeded: value))
    }
}
