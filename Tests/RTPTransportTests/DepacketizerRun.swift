import MediaCore
import NIOCore
import RTPTransport

/// The output of a depacketizer for a series of packets.
struct DepacketizerRun {
    var output: [DepacketizerOutput] = []
    var errors: [DepacketizationError] = []

    /// - Parameter losses: positions of packets that do not arrive.
    init(_ depacketizer: any Depacketizer, _ packets: [RTPPacket], losses: Set<Int> = []) {
        var depacketizer = depacketizer
        for (index, packet) in packets.enumerated() {
            if losses.contains(index) {
                depacketizer.packetsLost(into: &output)
                continue
            }
            do {
                try depacketizer.receive(packet, into: &output)
            } catch {
                errors.append(error)
            }
        }
    }

    var units: [DepacketizedUnit] { output.compactMap { if case .unit(let unit) = $0 { unit } else { nil } } }
    var configurationCount: Int { output.count - units.count }
    var timestamps: [UInt32] { units.map(\.rtpTimestamp) }
    var offsets: [Int64] { units.map(\.tickOffset) }
    var codes: [DepacketizationError.Code] { errors.map(\.code) }

    /// The units in the form of samples.
    var bytes: [[UInt8]] {
        units.map { unit in
            var buffer = ByteBuffer()
            unit.payload.write(into: &buffer)
            return Array(buffer.readableBytesView)
        }
    }
}
