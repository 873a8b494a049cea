import NIOCore

/// The qualities that a worker encodes from the next unit on, which has to be a key frame where one is added.
package struct LiveLadderAdjustment: Sendable, Hashable {
    /// The average bit rate of each quality in bits per second; 0 for one that is not encoded.
    package var bitRates: [Int]

    static let type: UInt8 = 7

    package init(bitRates: [Int]) { self.bitRates = bitRates }

    func write(into buffer: inout ByteBuffer) {
        for rate in bitRates { buffer.writeInteger(UInt32(clamping: rate)) }
    }

    /// - Returns: `nil` if the body is damaged.
    init?(body: ByteBuffer) {
        var body = body
        bitRates = []
        while body.readableBytes > 0 {
            guard bitRates.count < LiveLadderRequest.maximumRungCount, let rate: UInt32 = body.readInteger(),
                rate == 0 || LiveLadderRequest.bitRates.contains(Int(rate))
            else { return nil }
            bitRates.append(Int(rate))
        }
    }
}
