import CLibAV
package import Codecs

extension Encoder {
    /// The bytes for a file's header: AudioSpecificConfig, or parameter sets.
    private var extradata: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: context.pointee.extradata, count: max(0, Int(context.pointee.extradata_size)))
    }

    /// The configuration of an H.264 encoder.
    ///
    /// - Parameter file: The file or codec to name in errors.
    package func h264Configuration(file: String) throws(LibAVError) -> H264Configuration {
        do {
            return try H264Configuration(byteStream: extradata)
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the H.264 encoder made an unusable \(error)")
        }
    }

    /// The configuration of an AAC encoder.
    package func aacConfiguration(file: String) throws(LibAVError) -> AACConfiguration {
        do {
            return try AACConfiguration(parsingAudioSpecificConfig: Array(extradata))
        } catch {
            throw LibAVError(.codecUnsupported, file: file, "the AAC encoder made an unusable \(error)")
        }
    }
}
