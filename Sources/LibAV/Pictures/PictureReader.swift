import CLibAV

/// Finds single pictures in a film. Its work is bounded, whatever the file says. Belongs to one thread.
final class PictureReader {
    struct Picture {
        var frame: Frame
        /// Microseconds from the film's start.
        var time: Int64
    }

    let info: StreamInfo
    private let input: InputFile
    private let decoder: Decoder
    private let packet: Packet
    private var pending: [Picture] = []
    private var isAtEnd = false
    private var pictureCount = 0
    private var packetCount = 0
    private let maximumPictureCount: Int
    /// Of which the pictures' own are a part: sounds and what cannot be decoded count, too.
    private let maximumPacketCount: Int

    /// Packets for each picture that may be decoded.
    private static let packetsPerPicture = 4
    /// Times are rounded on their way: what is shown within this is shown now.
    private static let tolerance: Int64 = 500

    /// - Parameter maximumPictureCount: decoded in all.
    init(_ input: InputFile, maximumPictureCount: Int) throws(LibAVError) {
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no picture")
        }
        input.readOnly([info])
        self.info = info
        self.input = input
        self.maximumPictureCount = maximumPictureCount
        maximumPacketCount = maximumPictureCount * Self.packetsPerPicture
        decoder = try Decoder(
            input.stream(info), codecName: info.codecName, file: input.name, threadCount: 1)
        packet = try Packet()
    }

    /// Nothing more comes, not even after a seek.
    var isExhausted: Bool { pictureCount >= maximumPictureCount || packetCount >= maximumPacketCount }

    /// Goes to the last key frame at or before a time. Where a file cannot be sought, the next pictures have to do.
    func seek(to time: Int64) {
        guard input.seek(toMicroseconds: input.startMicroseconds + max(0, time)) else { return }
        decoder.flush()
        pending = []
        isAtEnd = false
    }

    /// In the order in which they are shown; `nil` at the end, and when the reader is exhausted.
    func next() throws(LibAVError) -> Picture? {
        while pending.isEmpty, !isAtEnd, !isExhausted {
            if try readPacket() {
                try decode(packet)
            } else {
                try drain()
                isAtEnd = true
            }
        }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    /// The picture that is shown at a time; the first or the last one where there is none.
    ///
    /// - Parameter limit: pictures on the way from the key frame; the last of them where the way is longer.
    func picture(at time: Int64, limit: Int) throws(LibAVError) -> Picture? {
        seek(to: time)
        var shown: Picture?
        for _ in 0..<max(1, limit) {
            guard let picture = try next() else { break }
            if shown != nil, picture.time > time + Self.tolerance {
                pending.insert(picture, at: 0)
                break
            }
            shown = picture
        }
        return shown
    }

    /// Of the key frame at or before a time, without the pictures behind it.
    ///
    /// - Parameter known: a key frame's place as this has given it, of which no other picture is wanted.
    /// - Returns: `nil` for the known one, and where nothing can be decoded.
    func keyPicture(at time: Int64, unless known: Int64?) throws(LibAVError) -> (frame: Frame, place: Int64)? {
        seek(to: time)
        var place: Int64?
        // Where the key frame is damaged, what follows it may do.
        for _ in 0..<Self.maximumKeyPacketCount {
            guard !isExhausted, try readPacket() else { break }
            let packetPlace = packet.presentationTime ?? packet.decodeTime ?? packet.pointer.pointee.pos
            if place == nil, packetPlace == known { return nil }
            place = place ?? packetPlace
            try decode(packet)
            // Decoders that put pictures into order hold this one back until there is no more.
            try drain()
            if let picture = pending.first {
                pending = []
                return (picture.frame, place ?? 0)
            }
        }
        return nil
    }

    private static let maximumKeyPacketCount = 32

    // MARK: Packets

    private func readPacket() throws(LibAVError) -> Bool {
        while packetCount < maximumPacketCount {
            guard try input.read(into: packet) else { return false }
            packetCount += 1
            if packet.streamIndex == info.index { return true }
        }
        return false
    }

    private func decode(_ packet: Packet?) throws(LibAVError) {
        let timeBase = input.stream(info).pointee.time_base
        try decoder.decode(packet) { frame throws(LibAVError) in
            pictureCount += 1
            let time = frame.bestEffortTime.map { rescale($0, from: timeBase, to: microseconds) }
            pending.append(
                Picture(
                    frame: try frame.reference(), time: (time ?? input.startMicroseconds) &- input.startMicroseconds))
        }
    }

    private func drain() throws(LibAVError) {
        try decode(nil)
        decoder.flush()
    }
}
