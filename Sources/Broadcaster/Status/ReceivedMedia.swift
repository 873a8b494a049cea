/// A stream as its server receives it.
public struct ReceivedMedia: Hashable, Sendable, Codable {
    /// The width in pixels; `nil` before the server has seen a frame.
    public var width: Int?
    /// The height in pixels; `nil` before the server has seen a frame.
    public var height: Int?
    /// Frames per second; `nil` if unknown.
    public var frameRate: Double?
    /// Bits per second of all tracks.
    public var bitRate: Int
    /// The number of current viewers.
    public var viewers: Int
    /// The RTP packets lost since publishing started.
    public var lostPackets: Int
}
