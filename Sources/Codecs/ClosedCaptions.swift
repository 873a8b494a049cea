package import MediaCore

/// The services of closed captions that the frames of a video carry (CTA-608-E, CTA-708-E), in SEI messages as ATSC
/// puts them there (A/53 part 4 §6.2.3).
package struct ClosedCaptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The first channel of field 1, where nearly all captions are.
    package static let cc1 = ClosedCaptions(rawValue: 1)
    /// The first channel of field 2, usually the second language.
    package static let cc3 = ClosedCaptions(rawValue: 2)
    /// The first service of CTA-708.
    package static let service1 = ClosedCaptions(rawValue: 4)

    /// Limit of the bytes of a SEI unit that are looked at; captions of a frame have less than a hundred.
    private static let maximumByteCount = 1_024
    private static let userDataType = 4
    /// Country (United States), provider (ATSC), identifier (`GA94`) and type (`cc_data`).
    private static let header: [UInt8] = [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

    /// Finds the services of which a frame has data.
    ///
    /// - Parameters:
    ///   - unit: a frame.
    ///   - isHEVC: whether its NAL units are those of HEVC, and not of H.264.
    package init(in unit: AccessUnit, isHEVC: Bool) {
        self = []
        guard case .nalUnits(let units) = unit.payload else { return }
        for unit in units {
            guard let first = unit.firstByte else { continue }
            let isInformation =
                isHEVC
                ? HEVCNALUnitType.type(headerByte: first) == HEVCNALUnitType.prefixSEI
                : H264NALUnitType(headerByte: first) == .supplementalEnhancementInformation
            guard isInformation, unit.byteCount <= Self.maximumByteCount else { continue }
            formUnion(
                Self.services(
                    inMessages: rawByteSequencePayload(of: unit.bytes(), headerByteCount: isHEVC ? 2 : 1)))
        }
    }

    private static func services(inMessages bytes: [UInt8]) -> ClosedCaptions {
        var (rest, found) = (bytes[...], ClosedCaptions())
        while rest.count > 2, let type = number(&rest), let size = number(&rest) {
            let payload = rest.prefix(size)
            rest = rest.dropFirst(size)
            if type == userDataType, payload.starts(with: header) {
                found.formUnion(services(inData: payload.dropFirst(header.count)))
            }
        }
        return found
    }

    /// Reads a number: bytes of 255, then one below.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        while let byte = bytes.popFirst() {
            value += Int(byte)
            if byte < 255 { return value }
        }
        return nil
    }

    /// Reads `cc_data`: a count, a byte without meaning, and three bytes for each pair.
    private static func services(inData data: ArraySlice<UInt8>) -> ClosedCaptions {
        guard let flags = data.first else { return [] }
        var (rest, found) = (data.dropFirst(2), ClosedCaptions())
        for _ in 0..<Int(flags & 0x1F) {
            let triple = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            // Pairs that are marked as valid and say something: the highest bit of each is its parity.
            guard triple.count == 3, triple[0] & 4 != 0 else { continue }
            let hasText = triple[1] & 0x7F != 0 || triple[2] & 0x7F != 0
            switch triple[0] & 3 {
            case 0 where hasText: found.insert(.cc1)
            case 1 where hasText: found.insert(.cc3)
            case 2, 3: found.insert(.service1)
            default: break
            }
        }
        return found
    }
}
