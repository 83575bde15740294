import{a as e,n as t,r as n}from"./client-libraries-df66e8dc.js";import{j as r}from"./client-Link-7ee8c216.js";import{O as i}from"./client-57fbb3e3.js";var a=n(),o=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`liveSessionId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,o,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[s,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null}],storageKey:null}],storageKey:null},c],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,o,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[s,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},o,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},s],storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},c],storageKey:null}]},params:{cacheID:`d1f877768f92a4a82bfb1863bc755b54`,id:null,metadata:{},name:`changesLiveSubscription`,operationKind:`subscription`,text:`subscription changesLiveSubscription(
  $since: String!
) {
  liveChanges(since: $since) {
    changes {
      kind
      liveSessionId
      edge {
        cursor
        sortKey
        state
        node {
          id
          ...LiveCard_session
        }
      }
    }
    syncToken
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})(),s=e(),c=t();function l(e,t,n){let a=(0,c.useRelayEnvironment)(),l=r(),u=(0,s.useRef)(n);(0,s.useEffect)(()=>{u.current=n});let d=(0,s.useRef)(null);(0,s.useEffect)(()=>{if(e!==null)return d.current=new i(a,l,{subscription:o,begin:()=>Promise.resolve(e),apply:({liveChanges:{changes:e,syncToken:t}})=>(u.current(e),t)}),d.current.start()},[a,l,e]),(0,s.useEffect)(()=>{if(!t)return;let e=d.current?.since??null;return()=>{e!==null&&e!==d.current?.since&&d.current?.goOn(e)}},[t])}function u(e,t){(0,a.commitLocalUpdate)(e,e=>{let n=f(e);if(n){for(let{cursor:r,sortKey:i,state:o,node:s}of t){let t=e.get(s.id);if(!t)continue;a.ConnectionHandler.deleteNode(n,s.id);let c=a.ConnectionHandler.createEdge(e,n,t,`LiveEdge`);c.setValue(r,`cursor`),c.setValue(i,`sortKey`),c.setValue(o,`state`),a.ConnectionHandler.insertEdgeAfter(n,c)}n.setValue(new Date().toISOString(),`snapshotAt`)}})}function d(e,t){(0,a.commitLocalUpdate)(e,e=>{let n=f(e);if(n)for(let e of t)a.ConnectionHandler.deleteNode(n,e)})}function f(e){let t=e.getRoot().getLinkedRecord(`viewer`);return t&&a.ConnectionHandler.getConnection(t,`LivePage_liveFeed`)}export{d as n,l as r,u as t};