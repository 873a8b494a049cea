import Foundation
import MediaCore
import NIOCore

/// Splits NAL units at start codes (00 00 01, ITU-T H.264 §B.1.1), which some senders leave in RTP payloads: they put
/// parameter sets and key frame into one unit as the encoder delivers them, or a start code in front of each unit. A
/// valid NAL unit contains no start code (§7.4.1), so that nothing else is split.
///
/// Only the beginning of a stream is searched, unless it has start codes: searching all bytes of all publishers would
/// cost more than everything else that is done with them.
struct StartCodeSplitter: Sendable {
    private var hasFoundOne = false
    /// The number of units that were searched in vain.
    private var searchedCount = 0

    /// Number of units that are searched before a stream is trusted: some seconds.
    static let trialCount = 256

    /// Number of bytes in which a start code at the beginning is looked for, with the zeros that may precede it.
    private static let searchedByteCount = 16

    /// Splits a unit.
    ///
    /// - Parameter maximumCount: limit on the parts; the last one holds the rest.
    /// - Returns: the units between the start codes, none of them empty; `nil` for a unit without any.
    mutating func split(_ unit: FragmentedNALUnit, maximumCount: Int) -> [FragmentedNALUnit]? {
        guard hasFoundOne || searchedCount < Self.trialCount || Self.begins(unit) else { return nil }
        let codes = Self.startCodes(in: unit, maximumCount: maximumCount)
        guard !codes.isEmpty else {
            if !hasFoundOne { searchedCount += 1 }
            return nil
        }
        hasFoundOne = true
        let starts = [0] + codes.map(\.end)
        let ends = codes.map(\.start) + [unit.byteCount]
        return zip(starts, ends).compactMap { unit.slice(from: $0, to: $1) }
    }

    /// Whether a payload or unit begins with a start code.
    static func begins(_ unit: FragmentedNALUnit) -> Bool {
        guard unit.firstByte == 0 else { return false }
        let beginning = unit.slice(from: 0, to: min(unit.byteCount, searchedByteCount)) ?? unit
        return startCodes(in: beginning, maximumCount: 1).first?.start == 0
    }

    /// The start codes in a unit, with the zeros in front of them, which belong to no unit.
    private static func startCodes(in unit: FragmentedNALUnit, maximumCount: Int) -> [Range<Int>] {
        var codes: [Range<Int>] = []
        /// Zeros at the end of the searched bytes.
        var zeroCount = 0
        var offset = unit.restoredHeader.byteCount
        switch unit.restoredHeader {
        case .none: break
        case .oneByte(let byte): zeroCount = byte == 0 ? 1 : 0
        case .twoBytes(let bytes): zeroCount = bytes == 0 ? 2 : bytes & 0xFF == 0 ? 1 : 0
        }
        for fragment in unit.fragments {
            fragment.withUnsafeReadableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                var position = 0
                while codes.count < maximumCount, position < bytes.count,
                    let found = memchr(base + position, 1, bytes.count - position)
                {
                    let index = base.distance(to: UnsafeRawPointer(found))
                    let zeros = trailingZeroCount(bytes, before: index, carried: zeroCount)
                    if zeros >= 2 { codes.append(offset + index - zeros..<offset + index + 1) }
                    position = index + 1
                }
                zeroCount = trailingZeroCount(bytes, before: bytes.count, carried: zeroCount)
                offset += bytes.count
            }
        }
        return codes
    }

    private static func trailingZeroCount(_ bytes: UnsafeRawBufferPointer, before end: Int, carried: Int) -> Int {
        var index = end
        while index > 0, bytes[index - 1] == 0 { index -= 1 }
        return end - index + (index == 0 ? carried : 0)
    }
}

extension Range<Int> {
    fileprivate var start: Int { lowerBound }
    fileprivate var end: Int { upperBound }
}

extension FragmentedNALUnit {
    /// A part of the unit, which shares its memory; `nil` if it is empty, or if it would begin or end within a restored
    /// header.
    fileprivate func slice(from start: Int, to end: Int) -> FragmentedNALUnit? {
        let headerByteCount = restoredHeader.byteCount
        guard start < end, start == 0 || start >= headerByteCount, end >= headerByteCount else { return nil }
        var offset = headerByteCount
        var slices: [ByteBuffer] = []
        for fragment in fragments {
            let lower = Swift.max(start, offset)
            let upper = Swift.min(end, offset + fragment.readableBytes)
            if lower < upper,
                let slice = fragment.getSlice(at: fragment.readerIndex + lower - offset, length: upper - lower)
            {
                slices.append(slice)
            }
            offset += fragment.readableBytes
        }
        return FragmentedNALUnit(restoredHeader: start == 0 ? restoredHeader : .none, fragments: slices)
    }
}
