import Codecs
import MediaCore
@testable import RTPTransport
import NIOCore
import TestSupport
import Testing

/// Boundaries of pictures, and the points at which decoding can start.
struct H264PictureTests {
    static func depacketizer(interleaving: NALUnitInterleaving? = nil) throws -> H264Depacketizer {
        H264Depacketizer(configuration: try H264DepacketizerTests.configuration(), interleaving: interleaving)
    }

    /// first_mb_in_slice is zero if the first bit after the header is one.
    @Test func aMarkerOnEachSliceDoesNotCutPictures() throws {
        let packets = (0..<4).flatMap { index in
            [[0x65, 0x88], [0x65, 0x40], [0x65, 0x20]].map { Sample.packet(0, UInt32(index), marker: true, $0) }
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(run.errors.isEmpty)
        #expect(
            run.bytes
                == Array(repeating: [0, 0, 0, 2, 0x65, 0x88, 0, 0, 0, 2, 0x65, 0x40, 0, 0, 0, 2, 0x65, 0x20], count: 3))
    }

    @Test func aMarkerThatIsRightEndsThePictureAtOnce() throws {
        var depacketizer = try Self.depacketizer()
        var output: [DepacketizerOutput] = []
        var counts: [Int] = []
        for index in 0..<4 {
            try depacketizer.receive(
                Sample.packet(0, UInt32(index), marker: true, [index == 0 ? 0x65 : 0x41, 0x88]), into: &output)
            counts.append(output.count)
        }
        // The first picture waits for the next packet.
        #expect(counts == [0, 2, 3, 4])
    }

    @Test func aMarkerFoundWrongLaterCostsOneKeyFrameDistance() throws {
        let slices: [(UInt32, [UInt8])] = [
            (0, [0x65, 0x88]), (1, [0x41, 0x88]), (2, [0x41, 0x88]), (2, [0x41, 0x40]), (3, [0x41, 0x88]),
            (4, [0x65, 0x88]), (4, [0x65, 0x40]), (5, [0x41, 0x88]), (5, [0x41, 0x40]), (6, [0x65, 0x88]),
        ]
        let run = DepacketizerRun(
            try Self.depacketizer(), slices.map { Sample.packet(0, $0, marker: true, $1) })
        #expect(run.timestamps == [0, 1, 2, 4, 5])
        #expect(run.units.map { $0.payload.byteCount } == [6, 6, 6, 12, 12])
    }

    /// A stream with recovery points only: intra refresh, or open groups of pictures.
    @Test func startsAtARecoveryPointWhereNoIDRComes() throws {
        let packets = (0..<200).flatMap { index -> [RTPPacket] in
            let timestamp = UInt32(index) * 3_600
            let slice = Sample.packet(0, timestamp, marker: true, [0x41, 0x88])
            return index % 25 == 0 ? [Sample.packet(0, timestamp, [0x06, 0x06, 0x01, 0x84, 0x80]), slice] : [slice]
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        // Three seconds at 25 frames per second.
        #expect(run.timestamps.first == 270_000)
        #expect(run.units.filter(\.isRandomAccessPoint).map { $0.rtpTimestamp / 3_600 } == [75, 100, 125, 150, 175])
        #expect(run.units.allSatisfy { $0.refersBack == $0.isRandomAccessPoint })
    }

    @Test func besideIDRsARecoveryPointIsNoRandomAccessPoint() throws {
        let packets = (0..<200).flatMap { index -> [RTPPacket] in
            let timestamp = UInt32(index) * 3_600
            let slice = Sample.packet(0, timestamp, marker: true, [index % 50 == 0 ? 0x65 : 0x41, 0x88])
            return index % 50 == 25 ? [Sample.packet(0, timestamp, [0x06, 0x06, 0x01, 0x84, 0x80]), slice] : [slice]
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(run.units.filter(\.isRandomAccessPoint).map { $0.rtpTimestamp / 3_600 } == [0, 50, 100, 150])
    }

    @Test func dropsWhatIsShownBeforeARecoveryPointThatDecodingStartedAt() throws {
        let recovery: [UInt8] = [0x06, 0x06, 0x01, 0x84, 0x80]
        let packets = [
            Sample.packet(0, 0, marker: true, [0x41, 0x88]),
            Sample.packet(0, 400_000, recovery), Sample.packet(0, 400_000, marker: true, [0x41, 0x88]),
            Sample.packet(0, 396_400, marker: true, [0x01, 0x88]),
            Sample.packet(0, 403_600, marker: true, [0x41, 0x88]),
            Sample.packet(0, 407_200, marker: true, [0x41, 0x88]),
        ]
        #expect(try DepacketizerRun(Self.depacketizer(), packets).timestamps == [400_000, 403_600, 407_200])
    }

    /// A key frame that begins after the loss is complete.
    @Test func aLossBetweenPicturesDoesNotCostTheKeyFrameBehindIt() throws {
        let packets = [
            Sample.packet(0, 0, marker: true, [0x65, 0x88]), Sample.packet(0, 1, marker: true, [0x41, 0x88]),
            Sample.packet(0, 2, marker: true, [0x41, 0x88]), Sample.packet(0, 3, marker: true, [0x65, 0x88]),
            Sample.packet(0, 4, marker: true, [0x65, 0x40]),
        ]
        #expect(try DepacketizerRun(Self.depacketizer(), packets, losses: [2]).timestamps == [0, 1, 3, 4])
        // A picture that begins after the loss without its first slice is not complete.
        #expect(try DepacketizerRun(Self.depacketizer(), packets, losses: [3]).timestamps == [0, 1, 2])
    }

    /// Packetization mode 2: STAP-B, FU-B, MTAP16 and MTAP24 with decoding order numbers 0 to 6 around the wrap.
    @Test func putsInterleavedUnitsInDecodingOrder() throws {
        func number(_ index: UInt16) -> [UInt8] {
            let value = UInt16(65_533) &+ index
            return [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        let run = DepacketizerRun(
            try Self.depacketizer(interleaving: NALUnitInterleaving(depth: 2)),
            [
                Sample.packet(1, 3_000, [0x79] + number(2) + [0, 2, 0x41, 0x88]),
                Sample.packet(2, 0, [0x79] + number(0) + [0, 2, 0x65, 0x88, 0, 2, 0x65, 0x40]),
                Sample.packet(3, 6_000, [0x5D, 0x81] + number(3) + [0x88]),
                Sample.packet(4, 6_000, marker: true, [0x5C, 0x41, 9]),
                Sample.packet(
                    5, 9_000, [0x7A] + number(4) + [0, 5, 1, 0x0B, 0xB8, 0x41, 0x88, 0, 5, 0, 0, 0, 0x41, 0x98]),
                Sample.packet(6, 15_000, [0x7B] + number(6) + [0, 6, 0, 0, 0, 0, 0x41, 0x88]),
                Sample.packet(7, 18_000, [0x79] + number(7) + [0, 2, 0x41, 0x88, 0, 2, 0x41, 0x40]),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.timestamps == [0, 3_000, 6_000, 9_000, 12_000])
        #expect(
            run.bytes == [
                [0, 0, 0, 2, 0x65, 0x88, 0, 0, 0, 2, 0x65, 0x40], [0, 0, 0, 2, 0x41, 0x88],
                [0, 0, 0, 3, 0x41, 0x88, 9], [0, 0, 0, 2, 0x41, 0x98],
                [0, 0, 0, 2, 0x41, 0x88],
            ])
    }
}

/// Senders that leave start codes in RTP payloads (ITU-T H.264 §B.1.1).
struct StartCodeTests {
    static let sps = bytes(hexadecimal: "6764001eacd940a02ff97011000003000100000300320f162d96")
    static let pps = bytes(hexadecimal: "68ebe3cb22c0")
    private static let code: [UInt8] = [0, 0, 0, 1]
    private static let shortCode: [UInt8] = [0, 0, 1]

    private static func slice(_ header: UInt8, _ count: Int) -> [UInt8] {
        [header, 0x88] + (0..<count).map { UInt8($0 % 251) | 2 }
    }

    private static func sample(_ units: [UInt8]...) -> [UInt8] {
        units.flatMap { unit in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: unit.count >> ($0 * 8)) } + unit
        }
    }

    /// The packets of a unit, in fragments of a size if it is longer.
    private static func packets(_ unit: [UInt8], at time: UInt32, fragment size: Int) -> [RTPPacket] {
        guard unit.count > size else { return [Sample.packet(0, time, marker: true, unit)] }
        let starts = Array(stride(from: 1, to: unit.count, by: size))
        return starts.map { start in
            let end = min(start + size, unit.count)
            let header = unit[0] & 0x1F | (start == 1 ? 0x80 : 0) | (end == unit.count ? 0x40 : 0)
            return Sample.packet(0, time, marker: end == unit.count, [unit[0] & 0xE0 | 28, header] + unit[start..<end])
        }
    }

    /// SPS, PPS and IDR in one unit, cut anywhere.
    @Test(arguments: Array(1...40) + [1_400]) func parametersAndKeyFrameInOneUnit(size: Int) throws {
        for code in [Self.code, Self.shortCode, [0, 0] + Self.code] {
            let (idr, next) = (Self.slice(0x65, 90), Self.slice(0x41, 30))
            let unit = Self.sps + code + Self.pps + code + idr
            let packets = (0..<4).flatMap { index -> [RTPPacket] in
                let time = UInt32(index) * 7_200
                return Self.packets(unit, at: time, fragment: size)
                    + Self.packets(next, at: time + 3_600, fragment: size)
            }
            let run = DepacketizerRun(H264Depacketizer(configuration: nil), packets)
            #expect(run.errors.isEmpty && run.configurationCount == 1)
            #expect(run.units.map(\.isRandomAccessPoint) == [true, false, true, false, true, false, true, false])
            #expect(run.bytes.first == Self.sample(idr) && run.bytes.last == Self.sample(next))
        }
    }

    @Test(arguments: Array(1...40) + [1_400]) func oneInFrontOfEachUnit(size: Int) throws {
        for code in [Self.code, Self.shortCode] {
            let idr = Self.slice(0x65, 90)
            let packets = (0..<3).flatMap { index -> [RTPPacket] in
                [Self.sps, Self.pps, idr].flatMap { unit in
                    Self.packets(code + unit, at: UInt32(index) * 3_600, fragment: size).map { packet in
                        var packet = packet
                        packet.marker = packet.marker && unit == idr
                        return packet
                    }
                }
            }
            let run = DepacketizerRun(H264Depacketizer(configuration: nil), packets)
            #expect(run.errors.isEmpty && run.configurationCount == 1)
            #expect(run.bytes == Array(repeating: Self.sample(idr), count: 3))
        }
    }

    /// Several slices of a frame in one unit.
    @Test func slicesOfAFrame() throws {
        let slices: [[UInt8]] = [[0x41, 0x88, 5], [0x41, 0x40, 6], [0x41, 0x20, 7]]
        let packets = (0..<4).map { index in
            Sample.packet(
                0, UInt32(index), marker: true,
                index == 0 ? [0x65, 0x88, 9] : Array(slices.joined(separator: Self.shortCode)))
        }
        let run = DepacketizerRun(try H264PictureTests.depacketizer(), packets)
        #expect(run.bytes.dropFirst().allSatisfy { $0 == Self.sample(slices[0], slices[1], slices[2]) })
        #expect(run.units.count == 4 && run.errors.isEmpty)
    }

    @Test func theNumberOfPartsIsLimited() throws {
        let many = Array(repeating: [0x06, 0, 0, 1] as [UInt8], count: 20_000).joined()
        let run = DepacketizerRun(try H264PictureTests.depacketizer(), [Sample.packet(0, 0, marker: true, Array(many))])
        #expect(run.codes == [.limitExceeded])
    }

    /// Units that are nothing but start codes, or end with one, have no empty parts.
    @Test(arguments: [[0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0, 0, 1], [0x41, 0x88, 0, 0, 1]] as [[UInt8]])
    func emptyPartsAreDropped(_ unit: [UInt8]) throws {
        let run = DepacketizerRun(
            try H264PictureTests.depacketizer(),
            [Sample.packet(0, 0, marker: true, [0x65, 0x88]), Sample.packet(0, 1, marker: true, unit)])
        #expect(run.errors.isEmpty)
        #expect(run.units.allSatisfy { $0.payload.byteCount == 6 })
    }

    @Test(arguments: [2, 3, 5, 1_400]) func hevcToo(size: Int) throws {
        typealias HEVC = HEVCDepacketizerTests
        let unit = Array([HEVC.vps, HEVC.sps, HEVC.pps, HEVC.idr].joined(separator: Self.code))
        for leading in [[], Self.code] {
            let whole = leading + unit
            let packets = (0..<3).flatMap { index -> [RTPPacket] in
                let time = UInt32(index) * 3_000
                guard whole.count > size else { return [Sample.packet(0, time, marker: true, whole)] }
                return stride(from: 2, to: whole.count, by: size).map { start in
                    let end = min(start + size, whole.count)
                    let type = whole[0] >> 1 & 0x3F
                    let header = type | (start == 2 ? 0x80 : 0) | (end == whole.count ? 0x40 : 0)
                    return Sample.packet(
                        0, time, marker: end == whole.count,
                        [whole[0] & 0x81 | 49 << 1, whole[1], header] + whole[start..<end])
                }
            }
            let run = DepacketizerRun(try HEVC.depacketizer(hasConfiguration: false), packets)
            #expect(run.errors.isEmpty)
            #expect(run.bytes == Array(repeating: HEVC.sample(HEVC.idr), count: 3))
        }
    }

    /// A stream without start codes is trusted after a while, and one with them never is.
    @Test func trustGrowsWithTheStream() {
        var splitter = StartCodeSplitter()
        let plain = FragmentedNALUnit(ByteBuffer(bytes: [0x41, 0x88, 1, 2]))
        let withCode = FragmentedNALUnit(ByteBuffer(bytes: [0x41, 0x88, 0, 0, 1, 0x41, 3]))
        let leading = FragmentedNALUnit(ByteBuffer(bytes: [0, 0, 0, 1, 0x41, 3]))
        for _ in 0..<StartCodeSplitter.trialCount { #expect(splitter.split(plain, maximumCount: 9) == nil) }
        #expect(splitter.split(withCode, maximumCount: 9) == nil)
        #expect(splitter.split(leading, maximumCount: 9)?.map { $0.bytes() } == [[0x41, 3]])
        #expect(splitter.split(withCode, maximumCount: 9)?.map { $0.bytes() } == [[0x41, 0x88], [0x41, 3]])
    }
}
