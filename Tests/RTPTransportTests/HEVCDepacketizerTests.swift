import Codecs
import MediaCore
import NIOCore
import RTPTransport
import TestSupport
import Testing

struct HEVCDepacketizerTests {
    /// Parameter sets of x265 for 640 × 362 without reordering; the slices are invented.
    static let vps = bytes(hexadecimal: "40010c01ffff01600000030090000003000003003fba0240")
    static let sps = bytes(
        hexadecimal: "42010101600000030090000003000003003fa005020171f265ba4a4e1780b4040000030004000003006020")
    static let pps = bytes(hexadecimal: "4401c073c189")
    /// IDR_W_RADL, TRAIL_R, CRA, RASL_N: the first slices of their pictures, then the IDR's second slice.
    static let idr: [UInt8] = [0x26, 0x01, 0x80, 1]
    static let trailing: [UInt8] = [0x02, 0x01, 0x80, 2]
    static let cra: [UInt8] = [0x2A, 0x01, 0x80, 3]
    static let rasl: [UInt8] = [0x10, 0x01, 0x80, 4]
    static let secondSlice: [UInt8] = [0x26, 0x01, 0x00, 5]

    static func depacketizer(
        hasConfiguration: Bool = true, interleaving: NALUnitInterleaving? = nil,
        limits: DepacketizerLimits = .standard
    ) throws -> HEVCDepacketizer {
        let configuration = try HEVCConfiguration(
            videoParameterSets: [vps], sequenceParameterSets: [sps], pictureParameterSets: [pps])
        return HEVCDepacketizer(
            configuration: hasConfiguration ? configuration : nil, interleaving: interleaving, limits: limits)
    }

    static func sized(_ unit: [UInt8]) -> [UInt8] { [0, UInt8(unit.count)] + unit }
    static func sample(_ units: [UInt8]...) -> [UInt8] { units.flatMap { [0, 0] + sized($0) } }

    @Test func putsPicturesTogetherFromAllKindsOfPackets() throws {
        let sets = [Self.vps, Self.sps, Self.pps].flatMap(Self.sized)
        let run = DepacketizerRun(
            try Self.depacketizer(hasConfiguration: false),
            [
                Sample.packet(1, 0, [0x60, 0x01] + sets),  // aggregation packet
                Sample.packet(2, 0, marker: true, Self.idr),  // single
                Sample.packet(3, 3_000, [0x62, 0x01, 0x81, 0x80, 1]),  // fragmentation unit: start
                Sample.packet(4, 3_000, [0x62, 0x01, 0x01, 2]),
                Sample.packet(5, 3_000, marker: true, [0x62, 0x01, 0x41, 3]),  // end
                Sample.packet(6, 6_000, marker: true, [0x60, 0x01] + Self.sized(Self.trailing)),
            ])
        #expect(
            run.bytes == [
                Self.sample(Self.idr), Self.sample([0x02, 0x01, 0x80, 1, 2, 3]), Self.sample(Self.trailing),
            ])
        #expect(run.units.map(\.isRandomAccessPoint) == [true, false, false])
        #expect(run.configurationCount == 1)
        #expect(run.errors.isEmpty)
    }

    /// With sprop-max-don-diff above zero, units arrive in any order and have decoding order numbers.
    @Test func putsInterleavedUnitsInOrder() throws {
        func numbered(_ unit: [UInt8], _ number: UInt8) -> [UInt8] { unit.prefix(2) + [0, number] + unit.dropFirst(2) }
        let run = DepacketizerRun(
            try Self.depacketizer(interleaving: NALUnitInterleaving(depth: 1)),
            [
                Sample.packet(1, 3_000, numbered(Self.trailing, 1)), Sample.packet(2, 0, numbered(Self.idr, 0)),
                Sample.packet(3, 6_000, [0x62, 0x01, 0x81, 0, 2, 0x80]),
                Sample.packet(4, 6_000, marker: true, [0x62, 0x01, 0x41, 7]),
                Sample.packet(
                    5, 9_000, [0x60, 0x01, 0, 3] + Self.sized(Self.trailing) + [0] + Self.sized([0x4E, 1, 5, 0])),
                Sample.packet(6, 12_000, numbered(Self.trailing, 5)),
                Sample.packet(7, 15_000, numbered(Self.trailing, 6)),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.timestamps == [0, 3_000, 6_000, 9_000])
        #expect(
            run.bytes.prefix(3) == [
                Self.sample(Self.idr), Self.sample(Self.trailing), Self.sample([0x02, 0x01, 0x80, 7]),
            ])
    }

    @Test func aMarkerOnEachSliceDoesNotCutPictures() throws {
        let packets = (0..<4).flatMap { index in
            [Self.idr, Self.secondSlice].map { Sample.packet(0, UInt32(index), marker: true, $0) }
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(run.bytes == Array(repeating: Self.sample(Self.idr, Self.secondSlice), count: 3))
    }

    @Test func leavesOutPicturesThatReferToWhatWasLost() throws {
        let pictures = [Self.idr, Self.trailing, Self.cra, Self.rasl, Self.trailing, Self.cra, Self.rasl]
        let packets = pictures.enumerated().map { Sample.packet(0, UInt32($0), marker: true, $1) }
        let whole = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(whole.timestamps == [0, 1, 2, 3, 4, 5, 6])
        #expect(whole.units.map(\.refersBack) == [false, false, false, true, false, false, true])
        let run = DepacketizerRun(try Self.depacketizer(), packets, losses: [1])
        #expect(run.timestamps == [0, 2, 4, 5, 6])
        #expect(run.units.map(\.followsGap) == [false, true, false, false, false])
    }

    @Test func takesWhatGStreamerSends() throws {
        let packets = try RTPCapture.packets(RTPCapture.hevc)
        let run = DepacketizerRun(try Self.depacketizer(hasConfiguration: false), packets)
        #expect(run.errors.isEmpty)
        #expect(run.units.count == Set(packets.map(\.rtpTimestamp)).count)
        #expect(run.configurationCount == 1)
        guard case .configuration(.hevc(let configuration))? = run.output.first else { throw CancellationError() }
        #expect(configuration.sequenceParameterSet.width == 64)
        #expect(configuration.sequenceParameterSet.height == 48)
        // The first packet only contains parameter sets, and GStreamer repeats them.
        for lost in packets.indices.dropFirst() {
            let run = DepacketizerRun(try Self.depacketizer(hasConfiguration: false), packets, losses: [lost])
            let isLost = !run.timestamps.contains(packets[lost].rtpTimestamp)
            #expect(isLost, "packet \(lost) lost")
        }
    }

    @Test(
        arguments: [
            [0x60], [0x60, 1, 0], [0x60, 1, 0, 9, 1], [0x62, 1], [0x62, 1, 0x01, 9], [0x62, 1, 0x41, 9], [0x64, 1, 0],
            [0x60, 1, 0, 1, 0x26], [0x7E, 1, 1],
        ] as [[UInt8]])
    func reportsBrokenPacketsAndGoesOn(payload: [UInt8]) throws {
        let run = DepacketizerRun(
            try Self.depacketizer(),
            [
                Sample.packet(1, 0, marker: true, Self.idr), Sample.packet(2, 1, marker: true, payload),
                Sample.packet(3, 2, marker: true, Self.trailing), Sample.packet(4, 3, marker: true, Self.idr),
            ])
        #expect(run.timestamps == [0, 3])
        #expect(run.errors.count == 1)
    }

    @Test func keepsToItsLimits() throws {
        var limits = DepacketizerLimits()
        limits.maximumAccessUnitByteCount = 40
        limits.maximumNALUnitCount = 3
        let large = Sample.packet(1, 0, marker: true, Self.idr + Array(repeating: 1, count: 40))
        #expect(try DepacketizerRun(Self.depacketizer(limits: limits), [large]).codes == [.limitExceeded])
        let many = (0..<4).map { _ in Sample.packet(1, 0, [0x4E, 1, 5, 0]) }
        #expect(try DepacketizerRun(Self.depacketizer(limits: limits), many).codes == [.limitExceeded])
        limits.maximumInterleavedUnitCount = 4
        let held = (0..<50).map { Sample.packet(0, UInt32($0), [0x02, 1, 0, UInt8($0), 0x80]) }
        let run = DepacketizerRun(
            try Self.depacketizer(interleaving: NALUnitInterleaving(depth: 30_000), limits: limits),
            [Sample.packet(0, 0, [0x26, 1, 0, 0, 0x80])] + held.dropFirst())
        #expect(run.timestamps == (0..<45).map { UInt32($0) })
    }
}
