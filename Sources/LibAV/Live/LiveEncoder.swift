import CLibAV
import Codecs
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

    /// An H.264 encoder's.
    ///
    /// - Parameter file: to blame.
    func h264Configuration(file: String) throws(LibAVError) -> H264Configuration {
        do {
            return try H264Configuration(byteStream: extradata)
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the H.264 encoder made an unusable \(error)")
        }
    }

    /// An AAC encoder's.
    func aacConfiguration(file: String) throws(LibAVError) -> AACConfiguration {
        do {
            return try AACConfiguration(parsingAudioSpecificConfig: Array(extradata))
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the AAC encoder made an unusable \(error)")
        }
    }
}
