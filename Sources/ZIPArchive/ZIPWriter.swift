package import MediaCore

/// Writes a ZIP archive piece by piece (APPNOTE.TXT of PKWARE, version 6.3.10), with files as they are and names in UTF-8.
///
/// The pieces that ``add(_:_:modifiedAt:)`` and ``end()`` return are the archive, one after the other; the writer keeps the
/// names only.
package struct ZIPWriter: Sendable {
    /// The archive would be larger than readers without ZIP64 can read.
    package struct TooLarge: Error, Sendable {}

    private struct Entry {
        var name: [UInt8]
        var checksum: UInt32
        var byteCount: UInt32
        var offset: UInt32
        var modifiedAt: DOSTime
    }

    /// Limits of an archive without ZIP64 (§4.4.1.4).
    private static let maximumFileCount = 65_534
    private static let maximumByteCount = Int(UInt32.max) - 1
    private let maximumByteCount: Int

    private var entries: [Entry] = []
    private var byteCount = 0
    /// Size of the directory at the end, as far as it is known.
    private var directoryByteCount = Self.endByteCount

    package init() { self.init(maximumByteCount: Self.maximumByteCount) }

    /// - Parameter maximumByteCount: limit of the archive, for tests.
    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: a relative path with `/`, without `..`.
    ///   - bytes: the content.
    ///   - time: the time of its last change, which readers see in UTC, to two seconds.
    /// - Returns: the bytes that follow in the archive.
    /// - Throws: ``TooLarge``
    package mutating func add(
        _ name: String, _ bytes: [UInt8], modifiedAt time: WallClockTime
    ) throws(TooLarge) -> [UInt8] {
        let nameBytes = Array(name.utf8)
        precondition(
            !name.isEmpty && nameBytes.count < Int(UInt16.max) && !name.hasPrefix("/")
                && !name.split(separator: "/").contains(".."), "the name of a file in an archive is a relative path")
        let size = Self.localByteCount + nameBytes.count + bytes.count
        let directory = directoryByteCount + Self.centralByteCount + nameBytes.count
        guard entries.count < Self.maximumFileCount, bytes.count <= maximumByteCount,
            byteCount + size + directory <= maximumByteCount
        else { throw TooLarge() }
        let entry = Entry(
            name: nameBytes, checksum: CRC32.checksum(of: bytes), byteCount: UInt32(bytes.count),
            offset: UInt32(byteCount), modifiedAt: DOSTime(time))
        entries.append(entry)
        byteCount += size
        directoryByteCount = directory
        var piece = LittleEndianBytes(capacity: size)
        piece.append(Self.localSignature)
        Self.appendDescription(of: entry, to: &piece)
        return piece.bytes + entry.name + bytes
    }

    /// The directory, which ends the archive.
    package func end() -> [UInt8] {
        var directory = LittleEndianBytes(capacity: directoryByteCount)
        for entry in entries {
            directory.append(Self.centralSignature)
            // Made on Unix, where the upper half of the attributes is the mode of the file.
            directory.append(UInt16(3 << 8) | Self.version)
            Self.appendDescription(of: entry, to: &directory)
            // No comment, the first disk, no internal attributes.
            for _ in 0..<3 { directory.append(UInt16(0)) }
            directory.append(Self.mode << 16)
            directory.append(entry.offset)
            directory.bytes += entry.name
        }
        let size = UInt32(directory.bytes.count)
        directory.append(Self.endSignature)
        for _ in 0..<2 { directory.append(UInt16(0)) }
        for _ in 0..<2 { directory.append(UInt16(entries.count)) }
        directory.append(size)
        directory.append(UInt32(byteCount))
        directory.append(UInt16(0))
        return directory.bytes
    }

    // MARK: Fields

    private static let localSignature: UInt32 = 0x0403_4B50
    private static let centralSignature: UInt32 = 0x0201_4B50
    private static let endSignature: UInt32 = 0x0605_4B50
    private static let (localByteCount, centralByteCount, endByteCount) = (30, 46, 22)
    /// Version 2.0 of the specification is needed to read the archive.
    private static let version: UInt16 = 20
    /// The name is UTF-8 (§4.4.4, bit 11).
    private static let flags: UInt16 = 1 << 11
    /// A file that its owner alone reads and writes.
    private static let mode: UInt32 = 0o100_600

    /// The fields that both headers of a file have (§4.3.7, §4.3.12).
    private static func appendDescription(of entry: Entry, to bytes: inout LittleEndianBytes) {
        bytes.append(version)
        bytes.append(flags)
        // Stored.
        bytes.append(UInt16(0))
        bytes.append(entry.modifiedAt.time)
        bytes.append(entry.modifiedAt.date)
        bytes.append(entry.checksum)
        for _ in 0..<2 { bytes.append(entry.byteCount) }
        bytes.append(UInt16(entry.name.count))
        bytes.append(UInt16(0))
    }
}

/// Bytes to which numbers are appended, the lowest byte first.
private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
