import LibAV
import MediaCore

/// Encodes decoded frames for a channel. Belongs to one thread.
protocol LiveEncoder: AnyObject {
    /// Encodes a frame.
    ///
    /// - Parameter time: The frame's presentation time; `nil` if it follows the previous frame.
    func encode(_ frame: Frame, at time: MediaTime?) throws(LibAVError)
}
