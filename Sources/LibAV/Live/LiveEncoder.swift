import CLibAV
import Codecs
import MediaCore

/// Encodes decoded frames for a channel. Belongs to one thread.
protocol LiveEncoder: AnyObject {
    /// Encodes a frame.
    ///
    /// - Parameter time: The frame's presentation time; `nil` if it follows the previous frame.
    func encode(_ frame: Frame, at time: MediaTime?) throws(LibAVError)
}

extension Encoder {
    /// The bytes for a file's header: AudioSpecificConfig, or parameter sets.
    var extradata: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: context.pointee.extradata, count: max(0, Int(context.pointee.extradata_size)))
    }

    /// The configuration of an H.264 encoder.
    ///
    /// - Parameter file: The file or codec to name in errors.
    func h264Configuration(file: String) throws(LibAVError) -> H264Configuration {
        do {
            return try H264Configuration(byteStream: extradata)
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the H.264 encoder made an unusable \(error)")
        }
    }

    /// The configuration of an AAC encoder.
    func aacConfiguration(file: String) throws(LibAVError) -> AACConfiguration {
        do {
            return try AACConfiguration(parsingAudioSpecificConfig: Array(extradata))
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the AAC encoder made an unusable \(error)")
        }
    }
}
