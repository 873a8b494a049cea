import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import Packaging

/// A live segment that is sent while it is made: its parts, one after the other, as they come. The bytes are those that
/// the segment has when it is complete.
struct GrowingSegment: Sendable {
    let channel: LiveChannel
    let address: LiveSegmentAddress
    /// The head of the response, without a length.
    var head: HTTPResponse
    /// Longest wait for a part.
    let maximumWait: Duration
    /// Identifies the waits of this response among those of all.
    let waiterNumber: Int
    /// The position of the next part.
    private var index = 0

    /// The next piece of the body, or the reason why there is none.
    enum Step {
        case part(PartialSegment, holding: LiveHolding)
        /// The next part is not there yet.
        case wait(EventLoopFuture<Bool>)
        /// The segment is complete.
        case end
        /// The segment will not be completed, or has left the server's memory.
        case broken
    }

    init(
        _ address: LiveSegmentAddress, of channel: LiveChannel, maximumWait: Duration, waiterNumber: Int
    ) {
        (self.address, self.channel, self.maximumWait) = (address, channel, maximumWait)
        self.waiterNumber = waiterNumber
        head = HTTPResponse(status: .ok, headerFields: address.fields)
        head.headerFields.append(HTTPField(name: .eTag, value: address.etag))
    }

    private var part: LivePartAddress {
        LivePartAddress(
            rendition: address.rendition, epoch: address.epoch, mediaSequence: address.mediaSequence, index: index)
    }

    /// Takes the next part, or says what to wait for.
    ///
    /// - Parameters:
    ///   - mayWait: false once a wait has been in vain.
    ///   - eventLoop: the event loop of the connection.
    mutating func next(mayWait: Bool, on eventLoop: any EventLoop) -> Step {
        let address = part
        if let part = channel.part(at: address) {
            index += 1
            channel.countSent(byteCount: part.byteCount)
            return .part(
                part,
                holding: LiveHolding(
                    channel: channel, segment: self.address, part: address, byteCount: part.byteCount))
        }
        let complete = channel.segment(
            rendition: address.rendition[...], mediaSequence: address.mediaSequence, epoch: address.epoch[...])
        if let complete { return complete.parts.count == index ? .end : .broken }
        guard mayWait else { return .broken }
        return .wait(
            channel.wait(
                for: .part(address), identifier: waiterNumber, on: eventLoop,
                until: eventLoop.now + TimeAmount(maximumWait)))
    }

    /// Ends the wait, because the client has left.
    func stopWaiting() { channel.stopWaiting(waiterNumber) }
}
