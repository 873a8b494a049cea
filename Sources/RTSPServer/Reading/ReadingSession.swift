import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// The media of one reader, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event loop.
///
/// Tracks are identified by their position in the description.
protocol ReadingSession: AnyObject {
    var description: SDPSession { get }
    /// The path to the reader, and the reader's reports about it.
    var delivery: PacketDelivery { get }

    /// Prepares playback. Nothing is sent before ``startSending()``, so that the response can be sent first.
    ///
    /// - Parameters:
    ///   - start: normal play time; `nil` resumes after a pause, or starts at the beginning.
    ///   - end: normal play time; `nil` means the end of the title.
    /// - Returns: the start positions. A track has no numbers if its first packet has not been made yet, because a
    ///   reader of live video waits for a key frame.
    func play(from start: MediaTime?, to end: MediaTime?) throws(ReadingError) -> RTSPPlayback

    /// Starts sending after the response to PLAY has been written.
    func startSending()

    func pause()

    /// Ends the session after TEARDOWN or the end of the connection. Calling it again has no effect.
    func end()

    /// Called when the connection accepts data again.
    func outputBecameWritable()

    var isPlaying: Bool { get }
}

/// Methods that are the same for channels and titles.
extension ReadingSession {
    /// The channel numbers for a SETUP: the requested ones, or free ones; `nil` if another track uses them.
    func channels(wanted: (rtp: UInt8, rtcp: UInt8)?, trackIndex: Int) -> (rtp: UInt8, rtcp: UInt8)? {
        delivery.channels(wanted: wanted, trackIndex: trackIndex)
    }

    /// - Returns: false if there is no such track.
    func setUp(_ trackIndex: Int, _ transport: ReadingTransport) -> Bool { delivery.setUp(trackIndex, transport) }

    /// Handles TEARDOWN of one track; nothing of it is sent any more.
    func release(_ trackIndex: Int) { delivery.release(trackIndex) }

    /// - Returns: whether the frame belongs to a track that is set up, which counts as a sign of life.
    func receiveInterleaved(channel: UInt8, payload: ByteBuffer) -> Bool {
        guard let trackIndex = delivery.track(ofRTCPChannel: channel) else { return false }
        delivery.receiveRTCP(payload, trackIndex: trackIndex)
        return true
    }

    /// Handles receiver reports; other packets are ignored.
    func receiveRTCP(_ data: ByteBuffer, trackIndex: Int) { delivery.receiveRTCP(data, trackIndex: trackIndex) }

    /// Number of bytes sent, media and reports with their framing.
    var sentByteCount: Int { delivery.sentByteCount }
    /// The reader's latest report for each track.
    var receptionReports: [Int: RTCPReportBlock] { delivery.receptionReports }
}
