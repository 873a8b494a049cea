import APIContract
import APIDeclarations
import Transcoding
import VODLibrary

extension APIResources {
    static func ladder(_ status: LadderStatus) -> APIObject<LadderFields> {
        let rungs = status.rungs.map { rung in
            LadderRungFields.object {
                [
                    $0.preset(rung.name), $0.width(rung.width), $0.height(rung.height),
                    $0.frameRate(rung.frameRate), $0.videoBitrate(rung.bitRate),
                ]
            }
        }
        let omitted = status.omitted.map { omitted in
            OmittedRungFields.object { [$0.preset(omitted.preset), $0.reason(omitted.reason)] }
        }
        return LadderFields.object { f in
            [
                f.id(status.titleID), f.state(status.state.rawValue), f.job(status.job.map { "\($0)" }),
                f.progress(status.progress), f.error(status.error), f.encoder(status.encoder), f.rungs(rungs),
                f.omitted(omitted),
            ]
        }
    }
}
