package import MediaCore

/// Writes a ZIP archive piece by piece (APPNOTE.TXT of PKWARE, version 6.3.10), with files as they are and names in
/// UTF-8.
///
/// The pieces that the calls return are the archive, one after the other, with the bytes of large files between those
/// of ``begin(_:byteCount:modifiedAt:)`` and ``endFile(_:byteCount:)``; the writer keeps the names only. What does not
/// fit into 4 GiB is written as ZIP64 (§4.3.14).
package struct ZIPWriter: Sendable {
    /// The archive would have more files, or more bytes, than it may.
    package struct TooLarge: Error, Sendable {}

    private struct Entry {
        var name: [UInt8]
        var checksum: UInt32 = 0
        var byteCount: Int64 = 0
        var offset: Int64
        var modifiedAt: DOSTime
        /// Whether checksum and size follow the content, because they are not known before.
        var hasDescriptor = false
        /// Whether the sizes that follow the content have eight bytes.
        var isLarge = false
    }

    private let maximumByteCount: Int64
    private var entries: [Entry] = []
    private var byteCount: Int64 = 0
    /// Size of the directory at the end, as far as it is known.
    private var directoryByteCount = Self.endByteCount
    /// Whether a file has been begun and not ended.
    private var isOpen = false

    /// Creates a writer of an empty archive.
    package init() { self.init(maximumByteCount: Self.maximumByteCount) }

    /// - Parameter maximumByteCount: limit of the archive, for tests.
    init(maximumByteCount: Int64) { self.maximumByteCount = maximumByteCount }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: a relative path with `/`, without `..`.
    ///   - bytes: the content, less than 4 GiB.
    ///   - time: the time of its last change, which readers see in UTC, to two seconds.
    /// - Returns: the bytes that follow in the archive.
    /// - Throws: ``TooLarge``
    package mutating func add(
        _ name: String, _ bytes: [UInt8], modifiedAt time: WallClockTime
    ) throws(TooLarge) -> [UInt8] {
        guard bytes.count < Self.large else { throw TooLarge() }
        var entry = try admit(name, byteCount: Int64(bytes.count), modifiedAt: time)
        var checksum = CRC32()
        bytes.withUnsafeBytes { checksum.add($0) }
        (entry.checksum, entry.byteCount) = (checksum.value, Int64(bytes.count))
        let header = Self.localHeader(of: entry)
        entries.append(entry)
        byteCount += Int64(header.count + bytes.count)
        return header + bytes
    }

    /// Begins a file whose bytes the caller writes. ``endFile(_:byteCount:)`` ends it.
    ///
    /// - Parameters:
    ///   - name: a relative path with `/`, without `..`.
    ///   - byteCount: the most bytes that it may have.
    ///   - time: the time of its last change, which readers see in UTC, to two seconds.
    /// - Returns: the bytes before those of the file.
    /// - Throws: ``TooLarge``
    package mutating func begin(
        _ name: String, byteCount: Int64, modifiedAt time: WallClockTime
    ) throws(TooLarge) -> [UInt8] {
        var entry = try admit(name, byteCount: byteCount, modifiedAt: time)
        (entry.hasDescriptor, entry.isLarge) = (true, byteCount >= Self.large)
        let header = Self.localHeader(of: entry)
        entries.append(entry)
        self.byteCount += Int64(header.count)
        isOpen = true
        return header
    }

    /// Ends the file that was begun.
    ///
    /// - Parameters:
    ///   - checksum: that of all bytes of the file.
    ///   - byteCount: their number, at most that with which it was begun.
    /// - Returns: the bytes after those of the file.
    package mutating func endFile(_ checksum: CRC32, byteCount: Int64) -> [UInt8] {
        precondition(isOpen, "a file is begun before it is ended")
        var entry = entries.removeLast()
        precondition(entry.isLarge || byteCount < Self.large, "a file has no more bytes than it was begun with")
        (entry.checksum, entry.byteCount) = (checksum.value, byteCount)
        var descriptor = LittleEndianBytes(capacity: 24)
        descriptor.append(Self.descriptorSignature)
        descriptor.append(entry.checksum)
        for _ in 0..<2 {
            if entry.isLarge { descriptor.append(byteCount) } else { descriptor.append(Self.short(byteCount)) }
        }
        entries.append(entry)
        self.byteCount += byteCount + Int64(descriptor.bytes.count)
        isOpen = false
        return descriptor.bytes
    }

    /// The directory, which ends the archive.
    package func end() -> [UInt8] {
        precondition(!isOpen, "the last file is ended before the archive is")
        var directory = LittleEndianBytes(capacity: directoryByteCount)
        for entry in entries { Self.appendDirectoryEntry(of: entry, to: &directory) }
        let size = Int64(directory.bytes.count)
        if byteCount >= Self.large || size >= Self.large { appendLargeEnd(directoryByteCount: size, to: &directory) }
        directory.append(Self.endSignature)
        for _ in 0..<2 { directory.append(UInt16(0)) }
        for _ in 0..<2 { directory.append(UInt16(entries.count)) }
        directory.append(Self.short(size))
        directory.append(Self.short(byteCount))
        directory.append(UInt16(0))
        return directory.bytes
    }

    /// Checks that a file fits.
    private mutating func admit(
        _ name: String, byteCount: Int64, modifiedAt time: WallClockTime
    ) throws(TooLarge) -> Entry {
        let bytes = Array(name.utf8)
        precondition(
            !name.isEmpty && bytes.count < Int(UInt16.max) && !name.hasPrefix("/")
                && !name.split(separator: "/").contains(".."), "the name of a file in an archive is a relative path")
        precondition(!isOpen && byteCount >= 0, "a file is ended before the next one begins")
        let directory = directoryByteCount + Self.centralByteCount + bytes.count
        guard entries.count < Self.maximumFileCount, byteCount <= maximumByteCount,
            self.byteCount + Int64(Self.localByteCount + bytes.count + directory) + byteCount <= maximumByteCount
        else { throw TooLarge() }
        directoryByteCount = directory
        return Entry(name: bytes, offset: self.byteCount, modifiedAt: DOSTime(time))
    }

    // MARK: Fields

    private static let localSignature: UInt32 = 0x0403_4B50
    private static let centralSignature: UInt32 = 0x0201_4B50
    private static let descriptorSignature: UInt32 = 0x0807_4B50
    private static let largeEndSignature: UInt32 = 0x0606_4B50
    private static let locatorSignature: UInt32 = 0x0706_4B50
    private static let endSignature: UInt32 = 0x0605_4B50
    private static let (localByteCount, centralByteCount, endByteCount) = (30, 46, 22)
    /// Limit of the files without ZIP64 (§4.4.1.4).
    private static let maximumFileCount = 65_534
    /// Limit of an archive: more than any disk has, and no sum overflows.
    private static let maximumByteCount: Int64 = 1 << 50
    /// Numbers from here on need the fields of ZIP64, and have this value in those of 32 bits.
    private static let large = Int64(UInt32.max)
    /// Version 2.0 of the specification is needed to read the archive, 4.5 for ZIP64.
    private static let (version, largeVersion): (UInt16, UInt16) = (20, 45)
    /// Made on Unix, where the upper half of the attributes is the mode of the file.
    private static let unix: UInt16 = 3 << 8
    /// The name is UTF-8 (§4.4.4, bit 11); checksum and size follow the content (bit 3).
    private static let (nameFlag, descriptorFlag): (UInt16, UInt16) = (1 << 11, 1 << 3)
    /// A file that its owner alone reads and writes.
    private static let mode: UInt32 = 0o100_600
    /// The identifier of the field with the numbers of ZIP64 (§4.5.3).
    private static let extraIdentifier: UInt16 = 1

    private static func short(_ number: Int64) -> UInt32 { UInt32(clamping: number) }

    private static func localHeader(of entry: Entry) -> [UInt8] {
        var header = LittleEndianBytes(capacity: localByteCount + entry.name.count + 20)
        header.append(localSignature)
        header.append(entry.isLarge ? largeVersion : version)
        appendDescription(of: entry, to: &header)
        // Sizes that follow are zero here, and in the field of ZIP64 if that says that they have eight bytes.
        header.append(entry.checksum)
        for _ in 0..<2 { header.append(entry.isLarge ? .max : short(entry.byteCount)) }
        header.append(UInt16(entry.name.count))
        header.append(UInt16(entry.isLarge ? 20 : 0))
        header.bytes += entry.name
        if entry.isLarge { appendExtra([0, 0], to: &header) }
        return header.bytes
    }

    private static func appendDirectoryEntry(of entry: Entry, to directory: inout LittleEndianBytes) {
        var extra = entry.byteCount >= large ? [entry.byteCount, entry.byteCount] : []
        if entry.offset >= large { extra.append(entry.offset) }
        let version = entry.isLarge || !extra.isEmpty ? largeVersion : version
        directory.append(centralSignature)
        directory.append(unix | version)
        directory.append(version)
        appendDescription(of: entry, to: &directory)
        directory.append(entry.checksum)
        for _ in 0..<2 { directory.append(short(entry.byteCount)) }
        directory.append(UInt16(entry.name.count))
        directory.append(UInt16(extra.isEmpty ? 0 : 4 + extra.count * 8))
        // No comment, the first disk, no internal attributes.
        for _ in 0..<3 { directory.append(UInt16(0)) }
        directory.append(mode << 16)
        directory.append(short(entry.offset))
        directory.bytes += entry.name
        if !extra.isEmpty { appendExtra(extra, to: &directory) }
    }

    /// The field with the numbers that do not fit into 32 bits (§4.5.3).
    private static func appendExtra(_ numbers: [Int64], to bytes: inout LittleEndianBytes) {
        bytes.append(extraIdentifier)
        bytes.append(UInt16(numbers.count * 8))
        for number in numbers { bytes.append(number) }
    }

    /// The end of a ZIP64 archive, and where it is (§4.3.14, §4.3.15).
    private func appendLargeEnd(directoryByteCount size: Int64, to directory: inout LittleEndianBytes) {
        directory.append(Self.largeEndSignature)
        directory.append(UInt64(44))
        directory.append(Self.unix | Self.largeVersion)
        directory.append(Self.largeVersion)
        for _ in 0..<2 { directory.append(UInt32(0)) }
        for _ in 0..<2 { directory.append(UInt64(entries.count)) }
        directory.append(size)
        directory.append(byteCount)
        directory.append(Self.locatorSignature)
        directory.append(UInt32(0))
        directory.append(byteCount + size)
        directory.append(UInt32(1))
    }

    /// The fields after the version that both headers of a file have (§4.3.7, §4.3.12).
    private static func appendDescription(of entry: Entry, to bytes: inout LittleEndianBytes) {
        bytes.append(entry.hasDescriptor ? nameFlag | descriptorFlag : nameFlag)
        // Stored.
        bytes.append(UInt16(0))
        bytes.append(entry.modifiedAt.time)
        bytes.append(entry.modifiedAt.date)
    }
}
