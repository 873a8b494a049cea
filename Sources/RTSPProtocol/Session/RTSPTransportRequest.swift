/// The SETUP of a track.
package struct RTSPTransportRequest: Hashable, Sendable {
    /// Direction of the media on the transport.
    package enum Purpose: Hashable, Sendable {
        case recording
        /// Packets are sent to the peer. A transport that the track already has is replaced: if ffmpeg receives
        /// nothing over UDP, it sets the track up again with TCP.
        case playing(RTSPPresentation)
    }

    /// Index of the track among the media descriptions.
    package var trackIndex: Int
    /// Offers in the peer's order of preference. None is multicast, and UDP offers name their ports.
    package var offers: [RTSPTransport]
    package var purpose: Purpose
}
