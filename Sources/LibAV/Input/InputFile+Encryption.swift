import CLibAV
import Glibc

/// Encrypted files other than movies, whose sample entries say it and are examined by the caller.
extension InputFile {
    /// Throws ``LibAVError`` with code `encrypted` if a stream is encrypted: decoders make noise of it, not an error.
    func refuseEncrypted(path: String) throws(LibAVError) {
        let isEncrypted =
            switch formatName {
            case "matroska,webm": matroskaTracks.contains(where: \.isEncrypted)
            // What libav keeps of the Content Encryption Object.
            case "asf": Self.value(of: "ASF_Protection_Type", in: context.pointee.metadata) != nil
            case "mpegts", "mpeg": ScrambledStream.isScrambled(path: path)
            default: false
            }
        guard isEncrypted else { return }
        throw LibAVError(.encrypted, file: name, "is encrypted; only files without copy protection can be played")
    }
}

/// Finds scrambled media in MPEG transport and program streams, whose packets say so in clear bits.
enum ScrambledStream {
    /// The bytes to examine, a second or so of a broadcast.
    private static let examinedByteCount = 1 << 20
    /// The smallest number of packets that count; a damaged packet may say anything.
    private static let minimumPacketCount = 16
    private static let synchronization: UInt8 = 0x47

    static func isScrambled(path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: examinedByteCount)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        bytes.removeLast(bytes.count - count)
        return isScrambled(bytes)
    }

    /// Returns whether the packets at the start of a stream are scrambled.
    static func isScrambled(_ bytes: [UInt8]) -> Bool {
        // Discs put a time of four bytes in front of each packet.
        for (start, distance) in [(0, 188), (4, 192)] {
            let offsets = stride(from: start, through: bytes.count - 188, by: distance)
            guard offsets.underestimatedCount >= minimumPacketCount,
                offsets.prefix(minimumPacketCount).allSatisfy({ bytes[$0] == synchronization })
            else { continue }
            return isMostlyScrambled(transportPackets: offsets, of: bytes)
        }
        return hasScrambledPackets(programStream: bytes)
    }

    /// Reads transport_scrambling_control (ISO/IEC 13818-1 §2.4.3.2). Tables and stuffing are always in the clear.
    private static func isMostlyScrambled(transportPackets offsets: StrideThrough<Int>, of bytes: [UInt8]) -> Bool {
        var (count, scrambledCount) = (0, 0)
        for offset in offsets where bytes[offset] == synchronization {
            let pid = Int(bytes[offset + 1] & 0x1F) << 8 | Int(bytes[offset + 2])
            guard pid >= 0x20, pid < 0x1FFF else { continue }
            count += 1
            if bytes[offset + 3] & 0x80 != 0 { scrambledCount += 1 }
        }
        return scrambledCount >= minimumPacketCount && scrambledCount * 2 > count
    }

    /// Reads PES_scrambling_control (ISO/IEC 13818-1 §2.4.3.7). On discs about every second packet is scrambled.
    private static func hasScrambledPackets(programStream bytes: [UInt8]) -> Bool {
        var (count, scrambledCount) = (0, 0)
        var index = 0
        while index + 6 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            // Audio, video, and the private stream of discs' audio.
            if (0xC0...0xEF).contains(bytes[index + 3]) || bytes[index + 3] == 0xBD, bytes[index + 6] & 0xC0 == 0x80 {
                count += 1
                if bytes[index + 6] & 0x30 != 0 { scrambledCount += 1 }
                // Past the packet, whose content may look like a start code.
                index += 6 + (Int(bytes[index + 4]) << 8 | Int(bytes[index + 5]))
            } else {
                index += 4
            }
        }
        return scrambledCount >= minimumPacketCount && scrambledCount * 4 > count
    }
}
