import MediaCore
import NIOCore
import RTPTransport
import RTSPProtocol
import SessionDescription

/// The media of one reader, from DESCRIBE (or the first SETUP) to its end. Confined to its connection's event loop.
///
/// Tracks are identified by their position in the description.
protocol PlaybackSession: AnyObject {
    associatedtype Start
    associatedtype Progress

    var phase: PlaybackPhase<Start, Progress> { get set }
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
    func play(from start: MediaTime?, to end: MediaTime?) throws(PlaybackError) -> RTSPPlayback

    /// Starts sending after the response to PLAY has been written.
    func startSending()

    /// Stops whatever sends, in any phase.
    func stopSending()

    /// Called when the connection accepts data again.
    func outputBecameWritable()
}

/// The part of a session that is the same for channels and titles.
extension PlaybackSession {
    var isPlaying: Bool { phase.isPlaying }

    /// - Throws: ``PlaybackError`` if no track is set up, or if the session is over.
    func requirePlayable() throws(PlaybackError) {
        guard !delivery.setUpTracks.isEmpty else { throw .nothingSetUp }
        if phase.isOver { throw .gone }
    }

    func pause() {
        if phase.isOver { return }
        stopSending()
        phase = .ready
    }

    /// Ends the session after TEARDOWN or the end of the connection. Calling it again has no effect.
    func end() {
        stopSending()
        phase = .ended
    }

    /// Ends the session by itself, after a flush of the final packets.
    func finish(_ reason: PlaybackEndReason) {
        if phase.isOver { return }
        stopSending()
        phase = .ending
        delivery.flush()
        // The connection may have ended during the flush.
        guard case .ending = phase else { return }
        phase = .ended
        delivery.end(reason)
    }

    /// The channel numbers for a SETUP: the requested ones, or free ones; `nil` if another track uses them.
    func channels(wanted: (rtp: UInt8, rtcp: UInt8)?, trackIndex: Int) -> (rtp: UInt8, rtcp: UInt8)? {
        delivery.channels(wanted: wanted, trackIndex: trackIndex)
    }

    /// - Returns: false if there is no such track.
    func setUp(_ trackIndex: Int, _ transport: PlaybackTransport) -> Bool { delivery.setUp(trackIndex, transport) }

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
