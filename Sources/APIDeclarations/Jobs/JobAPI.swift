package import APIContract
import MediaCore

/// The operations of the API for jobs.
package enum JobAPI {
    package static let listJobs = APIOperation(
        .get, "/api/v1/jobs", "listJobs", "List or search jobs, newest first",
        "The last thousand finished jobs are kept for at most thirty days.", parameters: [.limit, .cursor, .q],
        answer: .page(of: JobFields.self, "Jobs")
    )
    .refusing(.invalidCursor)

    package static let streamJobs = APIOperation(
        .get, "/api/v1/jobs/events", "streamJobs", "Changes of jobs, as server-sent events",
        "Events are named `job`; their data is a Job. The stream starts with the unfinished jobs or, with Last-Event-ID, with the missed events. 503 if there are too many listeners.",
        parameters: [
            .header(Field<String>("Last-Event-ID", "`id` of the last event that the client has seen", .optional))
        ], answer: .content("Events", APIContent("text/event-stream", String.self)))

    package static let getJob = APIOperation(
        .get, "/api/v1/jobs/{id}", "getJob", "A job", parameters: [.id], answer: .object(JobFields.self, "The job"))

    package static let changeJob = APIOperation(
        .patch, "/api/v1/jobs/{id}", "changeJob", "Change a job's priority", parameters: [.id],
        body: APIBody(.json(JobChangeFields.self)), answer: .object(JobFields.self, "The job")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let deleteJob = APIOperation(
        .delete, "/api/v1/jobs/{id}", "deleteJob", "Cancel a job",
        "The worker of a running job is stopped and its files are deleted. 409 if the job has already ended.",
        parameters: [.id], answer: .object(JobFields.self, "The job")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let cancelJob = APIOperation(
        .post, "/api/v1/jobs/{id}/cancel", "cancelJob", "Cancel a job, like DELETE", parameters: [.id],
        answer: .object(JobFields.self, "The job")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let retryJob = APIOperation(
        .post, "/api/v1/jobs/{id}/retry", "retryJob", "Queue a failed or cancelled job again",
        parameters: [.idempotencyKey, .id], answer: .object(JobFields.self, "The job, queued")
    )
    .refusing(.keyOfAnotherRequest)
    .failing(
        with: APIProblem(400, .badRequest), APIProblem(409, .conflict), APIProblem(409, .requestInProgress),
        APIProblem(429, .tooManyRequests))
}
