/// Checks that a server with `--public` has an administrator, without whom it does not start.
struct AdministratorCheck: DoctorCheck {
    let name = "administrator"
    /// Whether there is an active administrator; `nil` if the database cannot be read.
    let exists: Bool?

    var finding: DoctorFinding {
        switch exists {
        case true?: .ok("there is an administrator account")
        case false?:
            .problem(
                "there is no administrator account, without which a server with --public does not start",
                remedy:
                    "start it once without --public, and run: antena user add NAME --role administrator, or open the set-up link in its log"
            )
        case nil:
            .warning(
                "the database cannot be read, so that it is not known whether there is an administrator",
                remedy: "correct what the check of the database names")
        }
    }

    init(_ state: DatabaseState) {
        exists =
            switch state {
            case .missing: false
            case .ready(_, _, _, let hasAdministrator): hasAdministrator
            case .failed: nil
            }
    }

    init(exists: Bool?) { self.exists = exists }
}
