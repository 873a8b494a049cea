import CLibAV
import MediaCore

/// Takes decoded frames and hands out what a channel carries. Belongs to one thread.
protocol LiveEncoder: AnyObject {
    /// - Parameter time: the frame's presentation time; `nil` where it follows the one before.
    func encode(_ frame: Frame, at time: MediaTime?) throws(LibAVError)
}

extension Encoder {
    /// What it wants told in a file's header: AudioSpecificConfig, or parameter sets.
    var extradata: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: context.pointee.extradata, count: max(0, Int(context.pointee.extradata_size)))
    }
}
