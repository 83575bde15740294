import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{E as i,h as a,u as o,v as s,x as c}from"./client-57fbb3e3.js";import{_ as l,d as u,t as d,y as f}from"./client-Link-7ee8c216.js";import{t as p}from"./client-time-caa2070d.js";import{t as m}from"./client-pages-eee6df26.js";var h=e();n();var g={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`LiveCard_session`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`LiveSession`,abstractKey:null},_=t(),v=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsStartMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`startLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null},n],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsStartMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`startLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null}],storageKey:null},n],storageKey:null}]},params:{cacheID:`cecd8d1615b3a3fa7f7a0d9ebab41fd2`,id:null,metadata:{},name:`LiveControlsStartMutation`,operationKind:`mutation`,text:`mutation LiveControlsStartMutation(
  $input: LiveIdInput!
) {
  startLive(input: $input) {
    liveSession {
      ...LiveCard_session
      id
    }
    userErrors {
      code
      message
    }
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
`}}})(),y=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsEndMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`endLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null},n],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsEndMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`endLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null}],storageKey:null},n],storageKey:null}]},params:{cacheID:`4bb5472ef0892ce6c50def50f6b9fd6e`,id:null,metadata:{},name:`LiveControlsEndMutation`,operationKind:`mutation`,text:`mutation LiveControlsEndMutation(
  $input: EndLiveInput!
) {
  endLive(input: $input) {
    liveSession {
      ...LiveCard_session
      id
    }
    userErrors {
      code
      message
    }
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
`}}})(),b=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`cancelLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsCancelMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsCancelMutation`,selections:t},params:{cacheID:`1f7cd3f110d59e9a6fbd94ae4e554aba`,id:null,metadata:{},name:`LiveControlsCancelMutation`,operationKind:`mutation`,text:`mutation LiveControlsCancelMutation(
  $input: LiveIdInput!
) {
  cancelLive(input: $input) {
    userErrors {
      code
      message
    }
  }
}
`}}})(),x=r();function S({id:e,title:t,state:n}){let r=a(),i={input:{liveSessionId:e}};return(0,x.jsxs)(`div`,{className:`live-controls`,role:`group`,"aria-label":m.live.controls(t),children:[n===`UPCOMING`&&(0,x.jsx)(`button`,{type:`button`,className:`button button-small button-primary`,onClick:()=>void r({mutation:v,variables:i},m.live.startFailed),children:m.live.start}),n===`UPCOMING`&&(0,x.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>void r({mutation:b,variables:i,updater:t=>t.delete(e)},m.live.cancelFailed),children:m.live.cancel}),n===`LIVE`&&(0,x.jsx)(`button`,{type:`button`,className:`button button-small button-danger`,onClick:()=>void r({mutation:y,variables:i},m.live.endFailed),children:m.live.end})]})}function C({session:e}){let t=(0,_.useFragment)(g,e),{session:n}=s(),r=n.user?.id===t.host.databaseId;return(0,x.jsxs)(`li`,{className:`live live-${t.state.toLowerCase()}`,"aria-labelledby":`${t.id}-title`,children:[(0,x.jsx)(u,{user:t.host}),(0,x.jsxs)(`div`,{className:`live-words`,children:[(0,x.jsx)(`p`,{className:`live-title`,dir:`auto`,id:`${t.id}-title`,children:t.title}),(0,x.jsx)(`p`,{className:`live-host`,children:(0,x.jsxs)(d,{href:o(t.host.handle),className:`quiet-link`,children:[(0,x.jsx)(`bdi`,{children:t.host.name}),` @`,t.host.handle]})}),(0,x.jsxs)(`p`,{className:`live-times`,children:[(0,x.jsx)(`span`,{className:`badge`,children:m.live.badges[t.state]}),(0,x.jsx)(w,{...t}),t.replayUrl&&(0,x.jsxs)(`a`,{href:t.replayUrl,target:`_blank`,rel:`noreferrer nofollow`,className:`live-again`,children:[(0,x.jsx)(i,{name:`play`}),` `,m.live.watch]})]})]}),r&&(0,x.jsx)(S,{id:t.id,title:t.title,state:t.state})]})}function w(e){let t=l(e.state===`REPLAY`?`minute`:`second`),n=e.state===`UPCOMING`?e.scheduledAt:e.state===`LIVE`?e.startedAt:e.endedAt;return(0,x.jsx)(`time`,{className:`live-clock`,...n&&{dateTime:n,title:f(n)},children:p(e,t)})}var T=[`LIVE`,`UPCOMING`,`REPLAY`];function E({edges:e,pages:t,empty:n}){let[r,i]=(0,h.useState)(null),a=e.filter(e=>e.node!=null);return!a.length&&!t.hasNext?n:(0,x.jsxs)(x.Fragment,{children:[T.map(e=>{let t=a.filter(t=>t.state===e);return t.length?(0,x.jsxs)(`section`,{className:`live-group`,"aria-labelledby":`live-${e}`,children:[(0,x.jsx)(`h2`,{id:`live-${e}`,children:m.live.groups[e]}),(0,x.jsx)(`ul`,{className:`live-list`,children:t.map(({node:e})=>(0,x.jsx)(C,{session:e},e.id))})]},e):null}),(0,x.jsx)(c,{loading:t.isLoadingNext,failure:r,hasMore:t.hasNext,retry:()=>{i(null),t.loadNext(20,{onComplete:i})},end:``})]})}export{E as t};