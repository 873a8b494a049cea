import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// One reader's media, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event loop.
///
/// Tracks are named by their position in the description.
protocol ReadingSession: AnyObject {
    var description: SDPSession { get }
    /// The way to the reader, and what it says of it.
    var delivery: PacketDelivery { get }

    /// Nothing is sent before ``startSending()``, so that the answer can go first.
    ///
    /// - Parameters:
    ///   - start: normal play time; `nil` goes on where it was paused, or from the beginning.
    ///   - end: normal play time; `nil` for the end of the title.
    /// - Returns: where the media starts. A track whose first packet is not made yet has no numbers: a reader of live
    ///   video waits for a key frame.
    func play(from start: MediaTime?, to end: MediaTime?) throws(ReadingError) -> RTSPPlayback

    /// The answer to PLAY is written.
    func startSending()

    func pause()

    /// TEARDOWN, or the connection's end. Calling it again changes nothing.
    func end()

    /// The connection takes bytes again.
    func outputBecameWritable()

    var isPlaying: Bool { get }
}

/// What is the same whatever is read.
extension ReadingSession {
    /// The channel numbers for a SETUP: those that are wanted, or free ones; `nil` where another track has them.
    func channels(wanted: (rtp: UInt8, rtcp: UInt8)?, trackIndex: Int) -> (rtp: UInt8, rtcp: UInt8)? {
        delivery.channels(wanted: wanted, trackIndex: trackIndex)
    }

    /// - Returns: false where there is no such track.
    func setUp(_ trackIndex: Int, _ transport: ReadingTransport) -> Bool { delivery.setUp(trackIndex, transport) }

    /// TEARDOWN of one track: nothing more of it is sent.
    func release(_ trackIndex: Int) { delivery.release(trackIndex) }

    /// - Returns: whether the frame belongs to a track that is set up: a sign of life.
    func receiveInterleaved(channel: UInt8, payload: ByteBuffer) -> Bool {
        guard let trackIndex = delivery.track(ofRTCPChannel: channel) else { return false }
        delivery.receiveRTCP(payload, trackIndex: trackIndex)
        return true
    }

    /// Receiver reports; anything else is ignored.
    func receiveRTCP(_ data: ByteBuffer, trackIndex: Int) { delivery.receiveRTCP(data, trackIndex: trackIndex) }

    /// Media and reports, with their framing.
    var sentByteCount: Int { delivery.sentByteCount }
    /// What the reader last said of each track.
    var receptionReports: [Int: RTCPReportBlock] { delivery.receptionReports }
}
